/* unravel-corpus
 * title: an error-checking mutex refuses the unlock of a thread that does not hold it, by design
 * stands-for: PTHREAD_MUTEX_ERRORCHECK, EPERM
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m;

static void *intrude(void *arg) {
    (void)arg;
    int rc = pthread_mutex_unlock(&m);
    assert(rc == EPERM);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, intrude, NULL);
    pthread_mutex_lock(&m);
    int rc = pthread_mutex_unlock(&m);
    assert(rc == 0);
    pthread_join(t, NULL);
    printf("refused\n");
    return 0;
}
