/* unravel-corpus
 * title: settings that there are not are refused, and the old ones stay
 * stands-for: pthread_attr_setdetachstate, pthread_attr_setstacksize, pthread_attr_setscope, pthread_setname_np
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *arg) {
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_attr_t how;
    pthread_condattr_t clocks;
    pthread_barrier_t gate;
    struct sched_param high = {.sched_priority = 7};
    int state;
    pthread_attr_init(&how);
    assert(pthread_attr_setdetachstate(&how, 7) == EINVAL);
    assert(pthread_attr_getdetachstate(&how, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setstacksize(&how, 1) == EINVAL);
    assert(pthread_attr_setstacksize(&how, 1 << 20) == 0);
    assert(pthread_attr_setscope(&how, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setschedparam(&how, &high) == EINVAL);
    assert(pthread_attr_setschedpolicy(&how, SCHED_FIFO) == 0);
    assert(pthread_attr_setschedparam(&how, &high) == 0);
    pthread_create(&t, &how, work, NULL);
    pthread_join(t, NULL);
    pthread_attr_destroy(&how);
    pthread_condattr_init(&clocks);
    assert(pthread_condattr_setclock(&clocks, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    pthread_condattr_destroy(&clocks);
    assert(pthread_barrier_init(&gate, NULL, 0) == EINVAL);
    assert(pthread_setname_np(pthread_self(), "fifteen letters") == 0);
    assert(pthread_setname_np(pthread_self(), "sixteen  letters") == ERANGE);
    puts("refused");
    return 0;
}
