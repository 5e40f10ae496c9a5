/* unravel-corpus
 * title: the pool is idle when its queue is empty and no page is under way
 * stands-for: a mistake C programmers make: a thread pool that is taken for drained when its queue is empty, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Pages that wait for the printer, that are not done yet, and that are done. */
static atomic_int queued = 1;
static atomic_int unfinished = 1;
static atomic_int printed;

static void *printer(void *arg) {
    while (queued > 0) {
        queued--;  //@take
        printed++; //@print
        unfinished--;
    }
    return arg;
}

static bool pool_is_idle(void) {
    return unfinished == 0; //@look
}

int main(void) {
    pthread_t worker;

    pthread_create(&worker, NULL, printer, NULL);
    while (!pool_is_idle())
        sched_yield();
    assert(printed == 1); //@check
    pthread_join(worker, NULL);
    printf("%d page\n", printed);
    return 0;
}
