/* unravel-corpus
 * title: the store of another thread ends a release sequence
 * stands-for: a corner of what a program means: C17 5.1.2.4, release sequences
 * verdict: unsafe
 * property: race
 * at: reads, writes
 * flags: --races
 * pattern: data race
 */
#include <pthread.h>
#include <stdatomic.h>

static int page;
static atomic_int edition;

static void *print_edition(void *arg) {
    page = 7; //@writes
    atomic_store_explicit(&edition, 1, memory_order_release);
    atomic_store_explicit(&edition, 2, memory_order_relaxed);
    return arg;
}

static void *stamp(void *arg) {
    if (atomic_load_explicit(&edition, memory_order_relaxed) == 2)
        atomic_store_explicit(&edition, 3, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t printer, clerk;
    int seen = 0;
    pthread_create(&printer, NULL, print_edition, NULL);
    pthread_create(&clerk, NULL, stamp, NULL);
    if (atomic_load_explicit(&edition, memory_order_acquire) == 3)
        seen = page; //@reads
    pthread_join(printer, NULL);
    pthread_join(clerk, NULL);
    return seen > 7;
}
