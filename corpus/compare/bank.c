/* unravel-corpus
 * title: an auditor adds up the accounts of a customer while money is on its way from one to the other
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, bank
 * verdict: unsafe
 * property: reach
 * at: audit
 * pattern: atomicity violation
 * orders: take < read_current, read_savings < give
 * repair: widen, signal-wait
 * sizes: S 2 M 18 L 100
 */
#include <assert.h>
#include <pthread.h>

/* Customers of the bank. */
#ifndef SIZE
#define SIZE 2
#endif

enum { TOTAL = 20, KEEP = 5 };

/* A customer has TOTAL in two accounts. */
struct customer {
    pthread_mutex_t lock;
    int current;
    int savings;
};

static struct customer customer[SIZE];

static void customer_init(struct customer *c, int current) {
    pthread_mutex_init(&c->lock, NULL);
    c->current = current;
    c->savings = TOTAL - current;
}

static int customer_surplus(struct customer *c) {
    pthread_mutex_lock(&c->lock);
    int surplus = c->current - KEEP;
    pthread_mutex_unlock(&c->lock);
    return surplus;
}

static void customer_save(struct customer *c, int amount) {
    pthread_mutex_lock(&c->lock);
    c->current -= amount; //@take
    pthread_mutex_unlock(&c->lock);
    pthread_mutex_lock(&c->lock);
    c->savings += amount; //@give
    pthread_mutex_unlock(&c->lock);
}

static int customer_total(struct customer *c) {
    pthread_mutex_lock(&c->lock);
    int total = c->current; //@read_current
    total += c->savings;    //@read_savings
    pthread_mutex_unlock(&c->lock);
    return total;
}

/* Carries out the standing orders: what is not needed goes to the savings. */
static void *teller(void *arg) {
    (void)arg;
    for (int i = 0; i < SIZE; i++) {
        int surplus = customer_surplus(&customer[i]);
        if (surplus > 0)
            customer_save(&customer[i], surplus);
    }
    return NULL;
}

static void *auditor(void *arg) {
    int wrong = 0;

    (void)arg;
    for (int i = 0; i < SIZE; i++)
        wrong += customer_total(&customer[i]) != TOTAL;
    assert(wrong == 0); //@audit
    return NULL;
}

int main(void) {
    pthread_t teller_thread, auditor_thread;

    /* Only the last customer has more than needed. */
    for (int i = 0; i < SIZE; i++)
        customer_init(&customer[i], i < SIZE - 1 ? KEEP : KEEP + 3);
    pthread_create(&teller_thread, NULL, teller, NULL);
    pthread_create(&auditor_thread, NULL, auditor, NULL);
    pthread_join(teller_thread, NULL);
    pthread_join(auditor_thread, NULL);
    return 0;
}
