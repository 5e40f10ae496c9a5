/* unravel-corpus
 * title: a worker takes a job for its own that a worker of the same id left behind
 * stands-for: pthread_self
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <pthread.h>

static pthread_t owner;
static int taken = 0;

static void *work(void *arg) {
    if (taken)
        assert(owner != pthread_self()); //@check
    owner = pthread_self();
    taken = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    for (int shift = 0; shift < 2; shift++) {
        pthread_create(&t, NULL, work, NULL);
        pthread_join(t, NULL);
    }
    return 0;
}
