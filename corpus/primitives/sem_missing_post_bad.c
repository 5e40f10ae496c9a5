/* unravel-corpus
 * title: the last visitor does not post
 * stands-for: sem_post, forgotten on one path
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: deadlock
 * repair: none
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int visitors = 0;

static void *enter(void *arg) {
    int *limit = arg;
    sem_wait(&gate); //@wait
    visitors++;
    if (visitors < *limit)
        sem_post(&gate);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int strict = 1, generous = 3;
    sem_init(&gate, 0, 1);
    pthread_create(&a, NULL, enter, &strict);
    pthread_create(&b, NULL, enter, &generous);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
