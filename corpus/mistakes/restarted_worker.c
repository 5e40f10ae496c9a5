/* unravel-corpus
 * title: the monitor is stopped and started again; the old thread has not seen the flag and runs on
 * stands-for: a mistake C programmers make: a stop flag that is taken back before it was seen
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: enter < enter, enter < leave
 * repair: mutex, join
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A thread that watches the disk, until it is told to stop. */
static atomic_bool stop;
static atomic_int watchers;

static void *watch(void *arg) {
    int others = atomic_fetch_add(&watchers, 1); //@enter

    assert(others == 0); //@check
    while (!stop)        //@look
        sched_yield();
    watchers--; //@leave
    return arg;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, watch, NULL);
    stop = true;  //@stop
    stop = false; //@restart
    pthread_create(&second, NULL, watch, NULL);
    stop = true;
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
