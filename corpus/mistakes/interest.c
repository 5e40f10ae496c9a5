/* unravel-corpus
 * title: a deposit is lost while interest is paid on the balance
 * stands-for: two updates of one double without a lock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: deposit < interest, interest < deposit
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

struct account {
    double balance;
    double rate; /* per cent and year */
};

static struct account savings = {100.0, 2.5};

static void *deposit(void *amount) {
    savings.balance += *(const double *)amount; //@deposit
    return NULL;
}

static void *pay_interest(void *arg) {
    (void)arg;
    savings.balance *= 1.0 + savings.rate / 100.0; //@interest
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
    assert(savings.balance > 122.0); //@check
    return 0;
}
