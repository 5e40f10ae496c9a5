/* unravel-corpus
 * title: a mutex that is free is taken whatever the deadline is; who would have to wait is refused
 * stands-for: pthread_mutex_timedlock, pthread_mutex_clocklock
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec bad = {0, 2000000000}, fine = {0, 0};

static void *clerk(void *arg) {
    int rc = pthread_mutex_timedlock(&till, &bad);
    assert(rc == 0 || rc == EINVAL);
    if (rc == 0)
        pthread_mutex_unlock(&till);
    return arg;
}

int main(void) {
    pthread_t t;
    assert(pthread_mutex_timedlock(&till, &bad) == 0);
    pthread_create(&t, NULL, clerk, NULL);
    assert(pthread_mutex_clocklock(&till, 99, &fine) == EINVAL);
    pthread_mutex_unlock(&till);
    pthread_join(t, NULL);
    puts("closed");
    return 0;
}
