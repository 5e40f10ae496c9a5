/* unravel-corpus
 * title: two updates in one atomic block, seen together or not at all
 * stands-for: __VERIFIER_atomic_begin, __VERIFIER_atomic_end
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int debit = 0, credit = 0;

static void *book(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    debit += 3;
    credit += 3;
    __VERIFIER_atomic_end();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, book, NULL);
    pthread_create(&b, NULL, book, NULL);
    __VERIFIER_atomic_begin();
    int difference = debit - credit;
    __VERIFIER_atomic_end();
    assert(difference == 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(debit == 6 && credit == 6);
    return 0;
}
