/* unravel-corpus
 * title: a private semaphore reports its value into shared memory
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int stage, level = 7;

static void *work(void *arg) {
    sem_t free_slots;
    sem_init(&free_slots, 0, 3);
    stage = 1;
    sem_getvalue(&free_slots, &level);
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    if (stage == 1)
        assert(level != 7); //@fail
    pthread_join(worker, NULL);
    return 0;
}
