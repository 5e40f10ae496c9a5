/* unravel-corpus
 * title: the assumption comes after the check and does not undo the failure
 * stands-for: __VERIFIER_assume, after a violation
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < store
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

static atomic_int written = 0, value = 0;

static void *write_value(void *arg) {
    (void)arg;
    value = 7; //@store
    written = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, write_value, NULL);
    assert(value == 7); //@check
    __VERIFIER_assume(written);
    pthread_join(t, NULL);
    return 0;
}
