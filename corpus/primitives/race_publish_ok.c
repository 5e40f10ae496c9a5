/* unravel-corpus
 * title: a release store publishes the data for an acquire load
 * stands-for: data race, avoided by release and acquire
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int data = 0;
static atomic_int ready = 0;

static void *produce(void *arg) {
    (void)arg;
    data = 3;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 3);
    pthread_join(t, NULL);
    printf("data %d\n", data);
    return 0;
}
