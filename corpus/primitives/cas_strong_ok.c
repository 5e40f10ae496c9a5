/* unravel-corpus
 * title: two bidders raise the price with a compare-and-swap loop
 * stands-for: C11 atomic_compare_exchange_strong
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int price = 100;

static void *bid(void *arg) {
    int raise = *(int *)arg;
    int seen = atomic_load(&price);
    while (!atomic_compare_exchange_strong(&price, &seen, seen + raise))
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int ten = 10, five = 5;
    pthread_create(&a, NULL, bid, &ten);
    pthread_create(&b, NULL, bid, &five);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(price == 115);
    printf("price %d\n", price);
    return 0;
}
