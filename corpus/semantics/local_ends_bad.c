/* unravel-corpus
 * title: a local is read by another thread before its function returns
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 * flags: --only reach
 */
#include <assert.h>
#include <pthread.h>

static int *published;

static void publish(int *place) { published = place; }

static void *work(void *arg) {
    int local = 5;
    publish(&local);
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    int *seen = published;
    if (seen)
        assert(*seen != 5); //@fail
    pthread_join(worker, NULL);
    return 0;
}
