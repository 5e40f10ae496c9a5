/* unravel-corpus
 * title: the flag is cleared before the job is booked
 * stands-for: C11 atomic_flag_clear, too early
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: book < book, book < book
 * repair: move, atomic, widen
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int jobs = 0;

static void *work(void *arg) {
    (void)arg;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        ;
    atomic_flag_clear_explicit(&busy, memory_order_release);
    jobs++; //@book
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(jobs == 2); //@check
    return 0;
}
