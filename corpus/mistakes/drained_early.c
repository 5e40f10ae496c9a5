/* unravel-corpus
 * title: the pool says it is idle when its queue is empty, but a worker still works on the last page
 * stands-for: a mistake C programmers make: a thread pool that is taken for drained when its queue is empty
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: check < print
 * repair: move, join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Pages that wait for the printer, and pages that are done. */
static atomic_int queued = 1;
static atomic_int printed;

static void *printer(void *arg) {
    while (queued > 0) {
        queued--;  //@take
        printed++; //@print
    }
    return arg;
}

static bool pool_is_idle(void) {
    return queued == 0; //@look
}

int main(void) {
    pthread_t worker;

    pthread_create(&worker, NULL, printer, NULL);
    while (!pool_is_idle())
        sched_yield();
    assert(printed == 1); //@check
    pthread_join(worker, NULL);
    return 0;
}
