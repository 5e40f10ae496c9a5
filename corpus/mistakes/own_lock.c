/* unravel-corpus
 * title: two withdrawals are each checked against the balance before either is booked
 * stands-for: a mistake C programmers make: check-then-act under a lock that the program wraps
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: look < book, book < book
 * repair: widen
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

static int covers(struct account *a, int amount) {
    int enough;

    account_lock(a);
    enough = a->balance >= amount; //@look
    account_unlock(a);
    return enough;
}

static void *withdraw(void *arg) {
    struct account *a = arg;

    if (covers(a, 80)) {
        account_lock(a);
        a->balance -= 80; //@book
        account_unlock(a);
    }
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
    assert(savings.balance >= 0); //@check
    return 0;
}
