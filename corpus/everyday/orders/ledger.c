#include "ledger.h"

#include <pthread.h>
#include <stdio.h>

#include "stock.h"

static pthread_mutex_t ledger_lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static char last[40];

void ledger_book(const char *what, int amount) {
    pthread_mutex_lock(&ledger_lock); //@first
    total += amount;
    snprintf(last, sizeof last, "%s: %d", what, amount);
    pthread_mutex_unlock(&ledger_lock);
}

void ledger_refund(const char *article, int pieces) {
    pthread_mutex_lock(&ledger_lock);
    total -= pieces * stock_price(article); //@price
    pthread_mutex_unlock(&ledger_lock);
}

int ledger_total(void) {
    pthread_mutex_lock(&ledger_lock);
    int now = total;
    pthread_mutex_unlock(&ledger_lock);
    return now;
}
