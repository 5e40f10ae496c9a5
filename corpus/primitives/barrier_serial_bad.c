/* unravel-corpus
 * title: the wrong side of the barrier's result does the work that must be done once
 * stands-for: PTHREAD_BARRIER_SERIAL_THREAD
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t phase;
static atomic_int merges = 0;

static void *step(void *arg) {
    (void)arg;
    if (pthread_barrier_wait(&phase) != PTHREAD_BARRIER_SERIAL_THREAD)
        merges++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 3);
    pthread_create(&a, NULL, step, NULL);
    pthread_create(&b, NULL, step, NULL);
    step(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(merges == 1); //@check
    return 0;
}
