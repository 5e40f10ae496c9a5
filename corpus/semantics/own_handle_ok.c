/* unravel-corpus
 * title: a worker looks up its own handle when the lock says that it is stored
 * stands-for: a corner of what a program means: POSIX does not say that pthread_create stores it first
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t hiring = PTHREAD_MUTEX_INITIALIZER;
static pthread_t worker;

static void *work(void *arg) {
    pthread_mutex_lock(&hiring);
    assert(pthread_equal(worker, pthread_self()));
    pthread_mutex_unlock(&hiring);
    return arg;
}

int main(void) {
    pthread_mutex_lock(&hiring);
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_unlock(&hiring);
    pthread_join(worker, NULL);
    printf("done\n");
    return 0;
}
