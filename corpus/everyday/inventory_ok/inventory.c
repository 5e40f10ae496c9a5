#include "inventory.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct totals now;

void inventory_init(int pieces) {
    now.shelf = pieces;
    now.cart = 0;
}

void inventory_take(int pieces) {
    pthread_mutex_lock(&lock);
    now.shelf -= pieces;
    now.cart += pieces;
    pthread_mutex_unlock(&lock);
}

void inventory_return(int pieces) {
    pthread_mutex_lock(&lock);
    now.cart -= pieces;
    now.shelf += pieces;
    pthread_mutex_unlock(&lock);
}

struct totals inventory_totals(void) {
    struct totals copy;

    pthread_mutex_lock(&lock);
    copy.shelf = now.shelf;
    copy.cart = now.cart;
    pthread_mutex_unlock(&lock);
    return copy;
}
