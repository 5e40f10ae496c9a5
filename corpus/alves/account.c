/* unravel-corpus
 * title: the stocktaking itself is wrong: it subtracts the delivery, and so fails whenever it comes last
 * stands-for: Alves et al., Table 3, account_bad
 * verdict: unsafe
 * property: reach
 * at: stocktake
 * pattern: order violation
 * orders: delivered < both_done, sold < both_done
 * repair: signal-wait
 * faulty-lines: expected
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { OPENING = 1, DELIVERY = 2, SALE = 4 };

/* Bicycles in a shop; fewer than none are on order. All members are used under the lock. */
struct stock {
    pthread_mutex_t lock;
    int bicycles;
    bool delivery_booked;
    bool sale_booked;
};

static struct stock shop = {PTHREAD_MUTEX_INITIALIZER, OPENING, false, false};

static void *deliver(void *arg) {
    struct stock *s = arg;

    pthread_mutex_lock(&s->lock);
    s->bicycles += DELIVERY;
    s->delivery_booked = true; //@delivered
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *sell(void *arg) {
    struct stock *s = arg;

    pthread_mutex_lock(&s->lock);
    s->bicycles -= SALE;
    s->sale_booked = true; //@sold
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* Compares the stock with the books, once everything is booked. */
static void *take_stock(void *arg) {
    struct stock *s = arg;

    pthread_mutex_lock(&s->lock);
    if (s->delivery_booked && s->sale_booked) { //@both_done
        int expected = OPENING - DELIVERY - SALE; //@expected
        assert(s->bicycles == expected);          //@stocktake
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int main(void) {
    pthread_t truck, till, clerk;

    pthread_create(&truck, NULL, deliver, &shop);
    pthread_create(&till, NULL, sell, &shop);
    pthread_create(&clerk, NULL, take_stock, &shop);
    pthread_exit(NULL);
}
