/* unravel-corpus
 * title: counters of 1, 2, 4 and 8 bytes side by side, wrapping around
 * stands-for: __atomic_load_n, __atomic_store_n, __atomic_fetch_add, __atomic_sub_fetch, __atomic_exchange_n, __atomic_compare_exchange_n
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static struct {
    uint8_t tiny;
    uint16_t small;
    uint32_t normal;
    uint64_t large;
} c = {255, 65535, 0, UINT64_C(1) << 40};

static void *count(void *arg) {
    (void)arg;
    __atomic_fetch_add(&c.tiny, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&c.small, 1, __ATOMIC_RELAXED);
    __atomic_sub_fetch(&c.normal, 1, __ATOMIC_ACQ_REL);
    uint64_t seen = __atomic_load_n(&c.large, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n(&c.large, &seen, seen + (UINT64_C(1) << 40), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, count, NULL);
    count(NULL);
    pthread_join(a, NULL);
    assert(c.tiny == 1 && c.small == 1);
    uint32_t normal = __atomic_exchange_n(&c.normal, 7, __ATOMIC_SEQ_CST);
    assert(normal == UINT32_MAX - 1);
    assert(__atomic_load_n(&c.large, __ATOMIC_SEQ_CST) == UINT64_C(3) << 40);
    __atomic_store_n(&c.tiny, 9, __ATOMIC_RELEASE);
    printf("%u %u %u %llu\n", c.tiny, c.small, c.normal, (unsigned long long)c.large);
    return 0;
}
