/* unravel-corpus
 * title: an error-checking mutex reports the second lock, and the program copes
 * stands-for: PTHREAD_MUTEX_ERRORCHECK, EDEADLK
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;
static int total = 0;

static void *add(void *arg) {
    (void)arg;
    int rc = pthread_mutex_lock(&m);
    assert(rc == 0);
    rc = pthread_mutex_lock(&m);
    assert(rc == EDEADLK);
    total++;
    rc = pthread_mutex_unlock(&m);
    assert(rc == 0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 2);
    printf("total %d\n", total);
    return 0;
}
