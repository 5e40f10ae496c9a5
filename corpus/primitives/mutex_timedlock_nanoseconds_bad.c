/* unravel-corpus
 * title: a deadline that is no time goes unnoticed until another clerk has the till
 * stands-for: pthread_mutex_timedlock
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec bad = {0, 2000000000};

static void *clerk(void *arg) {
    int rc = pthread_mutex_timedlock(&till, &bad);
    assert(rc == 0 || rc == ETIMEDOUT); //@check
    if (rc == 0)
        pthread_mutex_unlock(&till);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, clerk, NULL);
    pthread_mutex_lock(&till);
    pthread_mutex_unlock(&till);
    pthread_join(t, NULL);
    return 0;
}
