/* unravel-corpus
 * title: a worker looks up its own handle, which may not be stored yet
 * stands-for: a corner of what a program means: POSIX does not say that pthread_create stores it first
 * verdict: unsafe
 * property: reach
 * at: known
 * pattern: order violation
 */
#include <assert.h>
#include <pthread.h>

static pthread_t worker;

static void *work(void *arg) {
    assert(pthread_equal(worker, pthread_self())); //@known
    return arg;
}

int main(void) {
    pthread_create(&worker, NULL, work, NULL);
    pthread_join(worker, NULL);
    return 0;
}
