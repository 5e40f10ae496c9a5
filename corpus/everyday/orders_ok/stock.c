#include "stock.h"

#include <pthread.h>
#include <string.h>

#include "ledger.h"

#define ARTICLES 2

struct article {
    const char *name;
    int pieces;
    int price;
};

static pthread_mutex_t stock_lock = PTHREAD_MUTEX_INITIALIZER;
static struct article shelf[ARTICLES] = {{"lamp", 0, 20}, {"chair", 0, 50}};

static struct article *find(const char *name) {
    for (int i = 0; i < ARTICLES; i++) {
        if (strcmp(shelf[i].name, name) == 0)
            return &shelf[i];
    }
    return NULL;
}

void stock_add(const char *name, int pieces) {
    pthread_mutex_lock(&stock_lock);
    struct article *a = find(name);
    if (a != NULL)
        a->pieces += pieces;
    pthread_mutex_unlock(&stock_lock);
}

int stock_sell(const char *name, int pieces) {
    int result = -1;

    pthread_mutex_lock(&stock_lock);
    struct article *a = find(name);
    if (a != NULL && a->pieces >= pieces) {
        a->pieces -= pieces;
        ledger_book(a->name, pieces * a->price);
        result = 0;
    }
    pthread_mutex_unlock(&stock_lock);
    return result;
}

int stock_price(const char *name) {
    int price = 0;

    pthread_mutex_lock(&stock_lock);
    struct article *a = find(name);
    if (a != NULL)
        price = a->price;
    pthread_mutex_unlock(&stock_lock);
    return price;
}

int stock_count(const char *name) {
    pthread_mutex_lock(&stock_lock);
    struct article *a = find(name);
    int pieces = a != NULL ? a->pieces : 0;
    pthread_mutex_unlock(&stock_lock);
    return pieces;
}
