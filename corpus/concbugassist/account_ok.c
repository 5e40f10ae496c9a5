/* unravel-corpus
 * title: the audit adds the deposit and subtracts the withdrawal; it holds whenever it runs
 * stands-for: ConcBugAssist, Table 1, account, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { OPENING = 1, DEPOSIT = 2, WITHDRAWAL = 4 };

/* An account may be overdrawn. All members are read and written under the lock. */
struct account {
    pthread_mutex_t lock;
    int balance;
    bool deposit_done;
    bool withdrawal_done;
};

static struct account account = {PTHREAD_MUTEX_INITIALIZER, OPENING, false, false};

static void *deposit(void *arg) {
    struct account *a = arg;

    pthread_mutex_lock(&a->lock);
    a->balance += DEPOSIT;
    a->deposit_done = true; //@deposited
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void *withdraw(void *arg) {
    struct account *a = arg;

    pthread_mutex_lock(&a->lock);
    a->balance -= WITHDRAWAL;
    a->withdrawal_done = true; //@withdrawn
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Compares the balance with the transactions, once all of them are booked. */
static void *audit(void *arg) {
    struct account *a = arg;

    pthread_mutex_lock(&a->lock);
    if (a->deposit_done && a->withdrawal_done)               //@both_done
        assert(a->balance == OPENING + DEPOSIT - WITHDRAWAL); //@audit
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

int main(void) {
    pthread_t teller, cash_machine, auditor;

    pthread_create(&teller, NULL, deposit, &account);
    pthread_create(&cash_machine, NULL, withdraw, &account);
    pthread_create(&auditor, NULL, audit, &account);
    pthread_join(teller, NULL);
    pthread_join(cash_machine, NULL);
    pthread_join(auditor, NULL);
    printf("balance %d\n", account.balance);
    return 0;
}
