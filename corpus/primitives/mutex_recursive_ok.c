/* unravel-corpus
 * title: a recursive mutex is taken again by the function that is called under it
 * stands-for: PTHREAD_MUTEX_RECURSIVE, pthread_mutexattr_settype
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;
static int length = 0;

static int get_length(void) {
    pthread_mutex_lock(&m);
    int n = length;
    pthread_mutex_unlock(&m);
    return n;
}

static void *push(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    length = get_length() + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &attr);
    pthread_mutexattr_destroy(&attr);
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(length == 2);
    pthread_mutex_destroy(&m);
    printf("length %d\n", length);
    return 0;
}
