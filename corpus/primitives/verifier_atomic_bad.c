/* unravel-corpus
 * title: the two updates are two atomic blocks
 * stands-for: __VERIFIER_atomic_begin, __VERIFIER_atomic_end
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: debit < look, look < credit
 * repair: widen, mutex
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int debit = 0, credit = 0;

static void *book(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    debit += 3; //@debit
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    credit += 3; //@credit
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, book, NULL);
    __VERIFIER_atomic_begin();
    int difference = debit - credit; //@look
    __VERIFIER_atomic_end();
    assert(difference == 0); //@check
    pthread_join(a, NULL);
    return 0;
}
