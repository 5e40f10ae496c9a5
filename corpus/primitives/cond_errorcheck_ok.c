/* unravel-corpus
 * title: a wait with an error-checking mutex that is not held is refused with a code
 * stands-for: pthread_cond_wait, PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static const struct timespec deadline = {1, 0};
static int ready = 0;

static void *cook(void *arg) {
    pthread_mutex_lock(&table);
    ready = 1;
    pthread_cond_signal(&served);
    pthread_mutex_unlock(&table);
    return arg;
}

int main(void) {
    pthread_t t;
    assert(pthread_cond_wait(&served, &table) == EPERM);
    assert(pthread_cond_timedwait(&served, &table, &deadline) == EPERM);
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    while (!ready)
        assert(pthread_cond_wait(&served, &table) == 0);
    assert(pthread_mutex_unlock(&table) == 0);
    pthread_join(t, NULL);
    puts("served");
    return 0;
}
