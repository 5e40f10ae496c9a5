/* unravel-corpus
 * title: a fence does not help when the message is announced before it is written
 * stands-for: C11 atomic_thread_fence
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: announce < look, check < write; check < write
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int announced = 0, message = 0;

static void *send(void *arg) {
    (void)arg;
    atomic_store_explicit(&announced, 1, memory_order_relaxed); //@announce
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&message, 8, memory_order_relaxed); //@write
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    if (atomic_load_explicit(&announced, memory_order_relaxed)) { //@look
        atomic_thread_fence(memory_order_seq_cst);
        assert(atomic_load_explicit(&message, memory_order_relaxed) == 8); //@check
    }
    pthread_join(t, NULL);
    return 0;
}
