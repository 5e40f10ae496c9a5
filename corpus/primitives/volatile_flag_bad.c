/* unravel-corpus
 * title: the volatile flag goes up before the message is written
 * stands-for: volatile, a flag in the wrong order
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: raise < look, check < write; check < write
 * repair: move, signal-wait
 */
#include <assert.h>
#include <pthread.h>

static volatile int ready = 0;
static volatile int message = 0;

static void *send(void *arg) {
    (void)arg;
    ready = 1;    //@raise
    message = 77; //@write
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    while (!ready) //@look
        ;
    assert(message == 77); //@check
    pthread_join(t, NULL);
    return 0;
}
