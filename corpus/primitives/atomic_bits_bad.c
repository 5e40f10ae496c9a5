/* unravel-corpus
 * title: two threads set their own bits of one word without an atomic operation
 * stands-for: a plain read and write in place of atomic_fetch_or
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: low < high, high < low
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>

static unsigned flags = 0;

static void *set_low(void *arg) {
    (void)arg;
    flags |= 0x01u; //@low
    return NULL;
}

static void *set_high(void *arg) {
    (void)arg;
    flags |= 0x80u; //@high
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_low, NULL);
    pthread_create(&b, NULL, set_high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags == 0x81u); //@check
    return 0;
}
