/* unravel-corpus
 * title: a copy of a pattern makes mutexes of the same kind
 * stands-for: pthread_mutexattr_settype, pthread_mutexattr_gettype
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

struct plan {
    int size;
    pthread_mutexattr_t pattern;
};

int main(void) {
    struct plan plan = {1, {{0}}}, copy;
    pthread_mutex_t m;
    int kind;
    pthread_mutexattr_init(&plan.pattern);
    assert(pthread_mutexattr_settype(&plan.pattern, 99) == EINVAL);
    assert(pthread_mutexattr_settype(&plan.pattern, PTHREAD_MUTEX_RECURSIVE) == 0);
    copy = plan;
    pthread_mutexattr_destroy(&plan.pattern);
    assert(pthread_mutexattr_gettype(&copy.pattern, &kind) == 0 && kind == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &copy.pattern);
    pthread_mutex_lock(&m);
    assert(pthread_mutex_lock(&m) == 0);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    pthread_mutexattr_destroy(&copy.pattern);
    puts("the same kind");
    return 0;
}
