/* unravel-corpus
 * title: nobody waits for the detached thread
 * stands-for: pthread_detach
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < store
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

static int records;

static void *flush_log(void *arg) {
    (void)arg;
    pthread_detach(pthread_self());
    records = 3; //@store
    return NULL;
}

int main(void) {
    pthread_t logger;
    pthread_create(&logger, NULL, flush_log, NULL);
    assert(records == 3); //@check
    return 0;
}
