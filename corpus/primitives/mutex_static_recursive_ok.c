/* unravel-corpus
 * title: a recursive mutex with a static initializer
 * stands-for: PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int calls = 0;

static void call(int depth) {
    pthread_mutex_lock(&m);
    calls++;
    if (depth > 0)
        call(depth - 1);
    pthread_mutex_unlock(&m);
}

static void *run(void *arg) {
    (void)arg;
    call(1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    call(1);
    pthread_join(t, NULL);
    assert(calls == 4);
    printf("%d calls\n", calls);
    return 0;
}
