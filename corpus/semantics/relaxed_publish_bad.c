/* unravel-corpus
 * title: a block is filled and published by a relaxed store
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: race
 * at: fill, use
 * flags: --races
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) published;

static void *work(void *arg) {
    int *block = malloc(sizeof *block);
    if (!block)
        return arg;
    *block = 1; //@fill
    atomic_store_explicit(&published, block, memory_order_relaxed);
    return arg;
}

int main(void) {
    pthread_t worker;
    int sum = 0;
    pthread_create(&worker, NULL, work, NULL);
    int *seen = atomic_load_explicit(&published, memory_order_relaxed);
    if (seen)
        sum = *seen; //@use
    pthread_join(worker, NULL);
    return sum > 1;
}
