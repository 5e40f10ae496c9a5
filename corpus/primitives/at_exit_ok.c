/* unravel-corpus
 * title: what runs at exit counts the jobs of a worker that has ended
 * stands-for: atexit
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void check_jobs(void) {
    pthread_mutex_lock(&lock);
    assert(done == 1);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
    pthread_mutex_lock(&lock);
    done++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t worker;
    atexit(check_jobs);
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return 0;
}
