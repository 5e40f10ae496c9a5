/* unravel-corpus
 * title: the failing run ends in one branch; the step of the other branch is no part of it
 * stands-for: where a failing run ends, for diagnose
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
atomic_int a2 = 0;
static void *work1(void *arg) {
    (void)arg;
    if (a2) goto L3;
    atomic_store(&a2, 0 & 1);
    L3: ;
    { int e4 = 1; atomic_compare_exchange_strong(&a2, &e4, 0 & 1); }
    return 0;
}
int main(void) {
    pthread_t h9;
    pthread_create(&h9, 0, work1, 0);
    atomic_exchange(&a2, (__VERIFIER_nondet_char() & 3) & 1);
    if (atomic_load(&a2)) abort(); //@fail
    a2++;
    return 0;
}
