/* unravel-corpus
 * title: main shows and hides a lamp in each turn while it waits for a worker that needs its lock
 * stands-for: deadlock of kind (c): a turn that writes and restores
 * verdict: unsafe
 * property: deadlock
 * at: poll, enter, on, off
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
static atomic_int lamp, done;

static void *worker(void *arg) {
    pthread_mutex_lock(&shop); //@enter
    done = 1;
    pthread_mutex_unlock(&shop);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&shop);
    while (!done) { //@poll
        lamp = 1; //@on
        lamp = 0; //@off
    }
    pthread_mutex_unlock(&shop);
    pthread_join(thread, NULL);
    return 0;
}
