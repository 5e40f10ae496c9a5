/* unravel-corpus
 * title: a later store and an increment stay in the release sequence that the first store heads
 * stands-for: a corner of what a program means: C17 5.1.2.4, release sequences
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int page;
static atomic_int edition;

static void *print_edition(void *arg) {
    page = 7;
    atomic_store_explicit(&edition, 1, memory_order_release);
    atomic_store_explicit(&edition, 2, memory_order_relaxed);
    return arg;
}

static void *stamp(void *arg) {
    int printed = 2;
    atomic_compare_exchange_strong_explicit(&edition, &printed, 3, memory_order_relaxed,
                                            memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t printer, clerk;
    pthread_create(&printer, NULL, print_edition, NULL);
    pthread_create(&clerk, NULL, stamp, NULL);
    if (atomic_load_explicit(&edition, memory_order_acquire) >= 2)
        assert(page == 7);
    pthread_join(printer, NULL);
    pthread_join(clerk, NULL);
    printf("page %d\n", page);
    return 0;
}
