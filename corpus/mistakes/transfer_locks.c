/* unravel-corpus
 * title: a transfer locks the account it takes from first; two transfers the other way round block each other
 * stands-for: a mistake C programmers make: locks taken in the order of the arguments
 * verdict: unsafe
 * property: deadlock
 * at: second
 * pattern: deadlock
 * orders: first < second, first < second
 * repair: lock-order, mutex
 */
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int number;
    int balance;
};

struct order {
    struct account *from;
    struct account *to;
    int amount;
};

static struct account rent = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static struct account food = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock); //@first
    pthread_mutex_lock(&to->lock);   //@second
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *clerk(void *arg) {
    const struct order *o = arg;

    transfer(o->from, o->to, o->amount);
    return NULL;
}

int main(void) {
    pthread_t morning, evening;
    struct order there = {&rent, &food, 30};
    struct order back = {&food, &rent, 20};

    pthread_create(&morning, NULL, clerk, &there);
    pthread_create(&evening, NULL, clerk, &back);
    pthread_join(morning, NULL);
    pthread_join(evening, NULL);
    return 0;
}
