/* unravel-corpus
 * title: a function whose name makes it atomic
 * stands-for: __VERIFIER_atomic_inc
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>

static int hits = 0;

static void __VERIFIER_atomic_inc(void) {
    hits++;
}

static void *visit(void *arg) {
    (void)arg;
    __VERIFIER_atomic_inc();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2);
    return 0;
}
