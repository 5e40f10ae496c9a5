/* unravel-corpus
 * title: threads set, clear and flip their own bits of one word
 * stands-for: C11 atomic_fetch_or, atomic_fetch_and, atomic_fetch_xor
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uint flags = 0xf0u;

static void *set_and_flip(void *arg) {
    (void)arg;
    unsigned before = atomic_fetch_or(&flags, 0x01u);
    assert((before & 0x01u) == 0);
    atomic_fetch_xor(&flags, 0x03u);
    return NULL;
}

static void *clear(void *arg) {
    (void)arg;
    atomic_fetch_and(&flags, ~0x30u);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set_and_flip, NULL);
    pthread_create(&b, NULL, clear, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(flags == 0xc2u);
    printf("flags %#x\n", flags);
    return 0;
}
