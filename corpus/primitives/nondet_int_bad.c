/* unravel-corpus
 * title: any withdrawal that is covered when it is tested may be uncovered when it is made
 * stands-for: __VERIFIER_nondet_int
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < fee, fee < take
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int balance = 1;

static void *charge_fee(void *arg) {
    (void)arg;
    balance = 0; //@fee
    return NULL;
}

int main(void) {
    pthread_t t;
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount > 0);
    pthread_create(&t, NULL, charge_fee, NULL);
    if (balance >= amount) {        //@test
        balance = balance - amount; //@take
        assert(balance >= 0);       //@check
    }
    pthread_join(t, NULL);
    return 0;
}
