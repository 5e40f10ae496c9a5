/* unravel-corpus
 * title: a deposit and interest on one balance, each under its lock
 * stands-for: two updates of one double under a lock
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
    pthread_mutex_t lock;
    double balance;
    double rate; /* per cent and year */
};

static struct account savings = {PTHREAD_MUTEX_INITIALIZER, 100.0, 2.5};

static void *deposit(void *amount) {
    pthread_mutex_lock(&savings.lock);
    savings.balance += *(const double *)amount;
    pthread_mutex_unlock(&savings.lock);
    return NULL;
}

static void *pay_interest(void *arg) {
    (void)arg;
    pthread_mutex_lock(&savings.lock);
    savings.balance *= 1.0 + savings.rate / 100.0;
    pthread_mutex_unlock(&savings.lock);
    return NULL;
}

int main(void) {
    double amount = 20.0;
    pthread_t teller, bank;

    pthread_create(&teller, NULL, deposit, &amount);
    pthread_create(&bank, NULL, pay_interest, NULL);
    pthread_join(teller, NULL);
    pthread_join(bank, NULL);
    printf("balance %.2f\n", savings.balance);
    assert(savings.balance > 122.0);
    return 0;
}
