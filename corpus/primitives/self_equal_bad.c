/* unravel-corpus
 * title: a thread looks up its own id before its creator has noted it down
 * stands-for: pthread_self, pthread_equal
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < note
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

static pthread_t owner;

static void *run(void *arg) {
    (void)arg;
    assert(pthread_equal(pthread_self(), owner)); //@check
    return NULL;
}

int main(void) {
    pthread_t t;
    owner = pthread_self();
    pthread_create(&t, NULL, run, NULL);
    owner = t; //@note
    pthread_join(t, NULL);
    return 0;
}
