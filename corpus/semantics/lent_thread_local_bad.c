/* unravel-corpus
 * title: main reads the thread-local counter of another thread through a pointer
 * stands-for: variables of which each thread has its own, lent to others
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static _Thread_local int count __attribute__((aligned(8))) = 4;
static int *lent;
static sem_t ready, done;

static void *worker(void *arg) {
    count++;
    lent = &count;
    sem_post(&ready);
    sem_wait(&done);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&ready);
    assert(*lent == count); //@check
    sem_post(&done);
    pthread_join(thread, NULL);
    return 0;
}
