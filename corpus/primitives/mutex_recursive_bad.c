/* unravel-corpus
 * title: a recursive mutex is locked twice and unlocked once
 * stands-for: PTHREAD_MUTEX_RECURSIVE
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: deadlock
 * orders: twice < wait; outer < wait
 * repair: widen, join, signal-wait
 */
#include <pthread.h>

static pthread_mutex_t m;
static int length = 0;

static int get_length(void) {
    pthread_mutex_lock(&m); //@twice
    int n = length;
    return n;
}

static void *push(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m); //@outer
    length = get_length() + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, push, NULL);
    pthread_mutex_lock(&m); //@wait
    length = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
