/* unravel-corpus
 * title: a withdrawal is checked against the balance and booked in one critical section
 * stands-for: a mistake C programmers make: check-then-act under a lock that the program wraps, avoided
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* An account; whoever touches the balance holds the lock. */
struct account {
    pthread_mutex_t lock;
    int balance;
};

static void account_lock(struct account *a) {
    if (pthread_mutex_lock(&a->lock) != 0) {
        fprintf(stderr, "account: cannot lock\n");
        exit(1);
    }
}

static void account_unlock(struct account *a) {
    pthread_mutex_unlock(&a->lock);
}

static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 100 };

/* The lock is held. */
static int covers(const struct account *a, int amount) {
    return a->balance >= amount;
}

static void *withdraw(void *arg) {
    struct account *a = arg;

    account_lock(a);
    if (covers(a, 80))
        a->balance -= 80;
    account_unlock(a);
    return NULL;
}

int main(void) {
    pthread_t counter, machine;

    if (!covers(&savings, 1))
        return 1;
    pthread_create(&counter, NULL, withdraw, &savings);
    pthread_create(&machine, NULL, withdraw, &savings);
    pthread_join(counter, NULL);
    pthread_join(machine, NULL);
    assert(savings.balance >= 0);
    return 0;
}
