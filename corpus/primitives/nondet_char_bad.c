/* unravel-corpus
 * title: one of 256 inputs, together with one order, breaks the sum
 * stands-for: __VERIFIER_nondet_uchar
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: lift < check; lift < test
 * repair: join, signal-wait
 */
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int limit = 200;

static void *lift_limit(void *arg) {
    (void)arg;
    limit = 255; //@lift
    return NULL;
}

int main(void) {
    pthread_t t;
    unsigned char speed = __VERIFIER_nondet_uchar();
    pthread_create(&t, NULL, lift_limit, NULL);
    if (speed <= limit) //@test
        assert(speed != 251); //@check
    pthread_join(t, NULL);
    return 0;
}
