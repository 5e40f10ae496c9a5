/* unravel-corpus
 * title: one of the two increments is not atomic
 * stands-for: __VERIFIER_atomic_inc beside a plain increment
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: plain < whole, whole < plain
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>

static int hits = 0;

static void __VERIFIER_atomic_inc(void) {
    hits++; //@whole
}

static void *visit(void *arg) {
    (void)arg;
    __VERIFIER_atomic_inc();
    return NULL;
}

static void *visit_plainly(void *arg) {
    (void)arg;
    hits++; //@plain
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit_plainly, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hits == 2); //@check
    return 0;
}
