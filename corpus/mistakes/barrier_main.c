/* unravel-corpus
 * title: the barrier is made for the two renderers, but main waits at it, too
 * stands-for: a mistake C programmers make: a barrier with the wrong count
 * verdict: unsafe
 * property: deadlock
 * at: worker_wait, main_wait
 * pattern: sequential
 * repair: none
 * faulty-lines: count
 */
#include <pthread.h>
#include <stddef.h>

#define RENDERERS 2

/* A picture is shown when both halves are drawn. */
static pthread_barrier_t drawn;
static int halves[RENDERERS];

static void *render(void *arg) {
    int *half = arg;

    *half = 1;
    pthread_barrier_wait(&drawn); //@worker_wait
    return NULL;
}

int main(void) {
    pthread_t renderers[RENDERERS];

    pthread_barrier_init(&drawn, NULL, RENDERERS); //@count
    for (int i = 0; i < RENDERERS; i++)
        pthread_create(&renderers[i], NULL, render, &halves[i]);
    pthread_barrier_wait(&drawn); //@main_wait
    for (int i = 0; i < RENDERERS; i++)
        pthread_join(renderers[i], NULL);
    return 0;
}
