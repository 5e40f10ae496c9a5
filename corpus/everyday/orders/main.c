/* unravel-corpus
 * title: the stock books while it is locked, and the ledger asks for a price while it is locked
 * stands-for: an everyday program: two modules with a lock each that call each other
 * verdict: unsafe
 * property: deadlock
 * at: first, second
 * fault: price, first, second
 * pattern: deadlock
 * repair: move, lock-order
 * patch: ledger.c
 */
#include <pthread.h>
#include <stdio.h>

#include "ledger.h"
#include "stock.h"

static void *till(void *arg) {
    (void)arg;
    if (stock_sell("lamp", 1) != 0)
        fprintf(stderr, "no lamps\n");
    return NULL;
}

static void *service_desk(void *arg) {
    (void)arg;
    ledger_refund("chair", 1);
    stock_add("chair", 1);
    return NULL;
}

int main(void) {
    pthread_t selling, refunding;

    stock_add("lamp", 2);
    if (pthread_create(&selling, NULL, till, NULL) != 0)
        return 1;
    if (pthread_create(&refunding, NULL, service_desk, NULL) != 0)
        return 1;
    pthread_join(selling, NULL);
    pthread_join(refunding, NULL);
    printf("%d lamps, %d chairs, total %d\n", stock_count("lamp"), stock_count("chair"),
           ledger_total());
    return 0;
}
