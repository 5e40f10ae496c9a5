/* unravel-corpus
 * title: a weak compare-and-swap in a loop
 * stands-for: C11 atomic_compare_exchange_weak
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int largest = 0;

static void *offer(void *arg) {
    int mine = *(int *)arg;
    int seen = atomic_load(&largest);
    while (seen < mine && !atomic_compare_exchange_weak(&largest, &seen, mine))
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int four = 4, nine = 9;
    pthread_create(&a, NULL, offer, &four);
    pthread_create(&b, NULL, offer, &nine);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(largest == 9);
    printf("largest %d\n", largest);
    return 0;
}
