/* unravel-corpus
 * title: a transfer looks at the balance before it takes the lock; two of them overdraw the account
 * stands-for: an everyday program: accounts, transfers by clerks, a report at the end
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: look
 * pattern: atomicity violation
 * repair: widen, mutex
 * patch: bank.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_OWNER 16

struct account {
    char owner[MAX_OWNER];
    long balance;
    pthread_mutex_t lock;
};

struct order {
    struct account *from;
    struct account *to;
    long amount;
    int done;
};

static void account_open(struct account *a, const char *owner, long balance) {
    strncpy(a->owner, owner, MAX_OWNER - 1);
    a->owner[MAX_OWNER - 1] = '\0';
    a->balance = balance;
    pthread_mutex_init(&a->lock, NULL);
}

static void deposit(struct account *a, long amount) {
    pthread_mutex_lock(&a->lock);
    a->balance += amount;
    pthread_mutex_unlock(&a->lock);
}

/* Returns 0 if the account has not enough money. */
static int withdraw(struct account *a, long amount) {
    if (a->balance < amount) //@look
        return 0;
    usleep(100); /* ask the fraud department */
    pthread_mutex_lock(&a->lock);
    a->balance -= amount;
    pthread_mutex_unlock(&a->lock);
    return 1;
}

static void *clerk(void *arg) {
    struct order *o = arg;

    if (withdraw(o->from, o->amount)) {
        deposit(o->to, o->amount);
        o->done = 1;
    }
    return NULL;
}

static void print_account(const struct account *a) {
    printf("%-10s %6ld\n", a->owner, a->balance);
}

int main(int argc, char **argv) {
    long amount = 60;
    struct account alice, bob, carol;
    pthread_t first, second;

    if (argc > 2) {
        fprintf(stderr, "usage: %s [AMOUNT]\n", argv[0]);
        return 2;
    }
    if (argc == 2)
        amount = strtol(argv[1], NULL, 10);
    if (amount <= 0) {
        fprintf(stderr, "%s: bad amount\n", argv[0]);
        return 2;
    }

    account_open(&alice, "alice", 100);
    account_open(&bob, "bob", 0);
    account_open(&carol, "carol", 0);

    struct order rent = {&alice, &bob, amount, 0};
    struct order shoes = {&alice, &carol, amount, 0};
    if (pthread_create(&first, NULL, clerk, &rent) != 0 ||
        pthread_create(&second, NULL, clerk, &shoes) != 0) {
        perror("pthread_create");
        return 1;
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);

    print_account(&alice);
    assert(alice.balance >= 0); //@check
    printf("%ld in all\n", alice.balance + bob.balance + carol.balance);
    return 0;
}
