/* unravel-corpus
 * title: if both choose to take, one cake is taken twice
 * stands-for: __VERIFIER_nondet_bool, an input that decides together with the schedule
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: look < take, look < take; look < take, take < take
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int cakes = 1;

static void *eat(void *arg) {
    (void)arg;
    _Bool hungry = __VERIFIER_nondet_bool();
    if (hungry && cakes > 0) { //@look
        cakes = cakes - 1;     //@take
        assert(cakes >= 0);    //@check
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, eat, NULL);
    pthread_create(&b, NULL, eat, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
