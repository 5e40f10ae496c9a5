/* unravel-corpus
 * title: the old thread is joined before the flag is taken back
 * stands-for: a mistake C programmers make: a stop flag that is taken back before it was seen, avoided
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
    pthread_join(first, NULL);
    stop = false; //@restart
    pthread_create(&second, NULL, watch, NULL);
    stop = true;
    pthread_join(second, NULL);
    printf("%d watchers\n", watchers);
    return 0;
}
