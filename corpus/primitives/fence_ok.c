/* unravel-corpus
 * title: both announce themselves before they look: at least one sees the other
 * stands-for: C11 atomic_thread_fence, relaxed accesses
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int here[2];
static int met[2];

static void *arrive(void *arg) {
    (void)arg;
    atomic_store_explicit(&here[1], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    met[1] = atomic_load_explicit(&here[0], memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, arrive, NULL);
    atomic_store_explicit(&here[0], 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    met[0] = atomic_load_explicit(&here[1], memory_order_relaxed);
    pthread_join(t, NULL);
    assert(met[0] || met[1]);
    printf("met\n");
    return 0;
}
