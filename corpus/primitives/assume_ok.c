/* unravel-corpus
 * title: only runs in which the writer came first are looked at
 * stands-for: __VERIFIER_assume
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

static atomic_int written = 0, value = 0;

static void *write_value(void *arg) {
    (void)arg;
    value = 7;
    written = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, write_value, NULL);
    __VERIFIER_assume(written);
    assert(value == 7);
    pthread_join(t, NULL);
    return 0;
}
