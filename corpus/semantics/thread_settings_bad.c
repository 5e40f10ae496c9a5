/* unravel-corpus
 * title: a worker that finds no slot says why in errno, and main takes it for a failure
 * stands-for: settings of threads, barriers and semaphores, and errno
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stddef.h>

struct vector {
    int x, y;
};
static sem_t slots;
static pthread_barrier_t start;
static int refused;
static struct vector place;

static struct vector moved(struct vector from) {
    return (struct vector){from.x + 1, from.y + 1};
}

static void *worker(void *arg) {
    pthread_barrier_wait(&start);
    place = moved(place);
    sem_post(&slots);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_attr_t small;
    pthread_barrierattr_t own;
    sem_init(&slots, 0, 0);
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 18);
    pthread_barrierattr_init(&own);
    pthread_barrierattr_setpshared(&own, PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(&start, &own, 2);
    pthread_create(&thread, &small, worker, NULL);
    pthread_attr_destroy(&small);
    pthread_barrier_wait(&start);
    sched_yield();
    if (sem_trywait(&slots) == -1 && errno == EAGAIN)
        refused++;
    assert(refused == 0 || place.x == place.y); //@check
    pthread_join(thread, NULL);
    return 0;
}
