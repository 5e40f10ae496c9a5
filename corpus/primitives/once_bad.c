/* unravel-corpus
 * title: a flag in place of pthread_once: the second thread uses the table before it is filled
 * stands-for: pthread_once, done by hand
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: claim < look, check < fill
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool initialized = false;
static int table = 0;

static void *look_up(void *arg) {
    (void)arg;
    if (!initialized) {     //@look
        initialized = true; //@claim
        table = 7;          //@fill
    }
    assert(table == 7); //@check
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look_up, NULL);
    pthread_create(&b, NULL, look_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
