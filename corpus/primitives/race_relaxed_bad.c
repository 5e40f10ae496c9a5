/* unravel-corpus
 * title: a relaxed flag does not publish the data
 * stands-for: data race, relaxed atomics do not synchronize
 * verdict: unsafe
 * property: race
 * at: write, read
 * flags: --races
 * pattern: data race
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data = 0;
static atomic_int ready = 0;

static void *produce(void *arg) {
    (void)arg;
    data = 3; //@write
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(data == 3); //@read
    pthread_join(t, NULL);
    return 0;
}
