/* unravel-corpus
 * title: an auditor adds up the accounts while money is on its way from one to the next
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, bank
 * verdict: unsafe
 * property: reach
 * at: audit
 * pattern: atomicity violation
 * orders: add < read, read < add
 * repair: mutex, signal-wait
 * sizes: S 2 M 20 L 120
 */
#include <assert.h>
#include <pthread.h>

/* Accounts of the bank. */
#ifndef SIZE
#define SIZE 2
#endif

enum { OPENING = 10, AMOUNT = 3 };

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account account[SIZE];

static void account_open(struct account *a) {
    pthread_mutex_init(&a->lock, NULL);
    a->balance = OPENING;
}

static void account_add(struct account *a, int amount) {
    pthread_mutex_lock(&a->lock);
    a->balance += amount; //@add
    pthread_mutex_unlock(&a->lock);
}

static int account_balance(struct account *a) {
    pthread_mutex_lock(&a->lock);
    int balance = a->balance; //@read
    pthread_mutex_unlock(&a->lock);
    return balance;
}

/* Each account pays the next one. */
static void *transfer(void *arg) {
    (void)arg;
    for (int i = 0; i + 1 < SIZE; i++) {
        account_add(&account[i], -AMOUNT);
        account_add(&account[i + 1], AMOUNT);
    }
    return NULL;
}

/* Money comes from nowhere and goes nowhere. */
static void *audit(void *arg) {
    int total = 0;

    (void)arg;
    for (int i = 0; i < SIZE; i++)
        total += account_balance(&account[i]);
    assert(total == SIZE * OPENING); //@audit
    return NULL;
}

int main(void) {
    pthread_t teller, auditor;

    for (int i = 0; i < SIZE; i++)
        account_open(&account[i]);
    pthread_create(&teller, NULL, transfer, NULL);
    pthread_create(&auditor, NULL, audit, NULL);
    pthread_join(teller, NULL);
    pthread_join(auditor, NULL);
    return 0;
}
