/* unravel-corpus
 * title: a bidder does not notice that its compare-and-swap has failed
 * stands-for: C11 atomic_compare_exchange_strong, the result
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: look < swap, swap < swap
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int price = 100;

static void *bid(void *arg) {
    int raise = *(int *)arg;
    int seen = atomic_load(&price);                              //@look
    atomic_compare_exchange_strong(&price, &seen, seen + raise); //@swap
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int ten = 10, five = 5;
    pthread_create(&a, NULL, bid, &ten);
    pthread_create(&b, NULL, bid, &five);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(price == 115); //@check
    return 0;
}
