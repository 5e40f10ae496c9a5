/* unravel-corpus
 * title: the worker publishes its result and frees it before it ends; main reads it meanwhile
 * stands-for: pthread_join, the life of a result
 * verdict: unsafe
 * property: memory
 * at: read
 * pattern: use after free
 * orders: release < read
 * repair: signal-wait
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static int *result;
static sem_t published;

static void *compute(void *arg) {
    (void)arg;
    int *sum = malloc(sizeof *sum);
    *sum = 10;
    result = sum;
    sem_post(&published);
    free(sum); //@release
    return NULL;
}

int main(void) {
    pthread_t worker;
    sem_init(&published, 0, 0);
    pthread_create(&worker, NULL, compute, NULL);
    sem_wait(&published);
    int sum = *result; //@read
    pthread_join(worker, NULL);
    return sum == 10 ? 0 : 1;
}
