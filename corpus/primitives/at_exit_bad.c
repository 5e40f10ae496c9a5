/* unravel-corpus
 * title: what runs at exit counts the jobs while a worker may still be at the last one
 * stands-for: atexit
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < count
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check_jobs(void) {
    pthread_mutex_lock(&lock);
    assert(done == 1); //@check
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    done++; //@count
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t worker;
    atexit(check_jobs);
    pthread_create(&worker, NULL, work, NULL);
    return 0;
}
