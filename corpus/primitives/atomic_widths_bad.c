/* unravel-corpus
 * title: a one-byte reference count overflows to zero while it is in use
 * stands-for: __atomic_add_fetch of one byte
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: take_a < take_b, take_b < put_a
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uint8_t references = 254;

static void *borrow(void *arg) {
    (void)arg;
    __atomic_add_fetch(&references, 1, __ATOMIC_SEQ_CST); //@take_a
    __atomic_sub_fetch(&references, 1, __ATOMIC_SEQ_CST); //@put_a
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, borrow, NULL);
    uint8_t now = __atomic_add_fetch(&references, 1, __ATOMIC_SEQ_CST); //@take_b
    assert(now != 0); //@check
    __atomic_sub_fetch(&references, 1, __ATOMIC_SEQ_CST);
    pthread_join(t, NULL);
    return 0;
}
