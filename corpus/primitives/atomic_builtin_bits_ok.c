/* unravel-corpus
 * title: logical builtins on one word, and a flag byte as a lock
 * stands-for: __atomic_fetch_or, __atomic_and_fetch, __atomic_fetch_xor, __atomic_fetch_nand, __atomic_test_and_set, __atomic_clear, __atomic_thread_fence, __sync_fetch_and_or, __sync_fetch_and_and, __sync_fetch_and_xor
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned word = 0x0cu, nand_word = 0x0fu;
static bool taken = false;
static int entered = 0;

static void enter(void) {
    while (__atomic_test_and_set(&taken, __ATOMIC_SEQ_CST))
        ;
    entered++;
    __atomic_clear(&taken, __ATOMIC_SEQ_CST);
}

static void *other(void *arg) {
    (void)arg;
    __atomic_fetch_or(&word, 0x10u, __ATOMIC_SEQ_CST);
    __sync_fetch_and_and(&word, ~0x04u);
    __sync_fetch_and_xor(&word, 0x20u);
    enter();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    __sync_fetch_and_or(&word, 0x01u);
    __atomic_and_fetch(&word, ~0x08u, __ATOMIC_SEQ_CST);
    __atomic_fetch_xor(&word, 0x02u, __ATOMIC_SEQ_CST);
    __atomic_fetch_nand(&nand_word, 0x05u, __ATOMIC_SEQ_CST);
    enter();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    pthread_join(t, NULL);
    assert(word == 0x33u && nand_word == ~0x05u && entered == 2);
    printf("word %#x, entered %d\n", word, entered);
    return 0;
}
