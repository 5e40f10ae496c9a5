/* unravel-corpus
 * title: the booking that finds no seat returns without giving back the lock
 * stands-for: a mistake C programmers make: a lock that the error path does not release
 * verdict: unsafe
 * property: deadlock
 * at: lock
 * pattern: deadlock
 * orders: lock < lock
 * repair: widen
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A train with a few seats left. */
struct train {
    pthread_mutex_t lock;
    int seats;
    int booked;
};

static struct train night_train = {.lock = PTHREAD_MUTEX_INITIALIZER, .seats = 3};

struct booking {
    int seats;
    bool confirmed;
};

static bool train_book(struct train *t, int seats) {
    pthread_mutex_lock(&t->lock); //@lock
    if (t->seats < seats)         //@test
        return false;
    t->seats -= seats; //@take
    t->booked++;
    pthread_mutex_unlock(&t->lock);
    return true;
}

static void *agent(void *arg) {
    struct booking *b = arg;

    b->confirmed = train_book(&night_train, b->seats);
    return NULL;
}

int main(void) {
    pthread_t agents[3];
    struct booking family = {3, false}, anna = {1, false}, ben = {1, false};

    pthread_create(&agents[0], NULL, agent, &anna);
    pthread_create(&agents[1], NULL, agent, &ben);
    pthread_create(&agents[2], NULL, agent, &family);
    for (int i = 0; i < 3; i++)
        pthread_join(agents[i], NULL);
    return 0;
}
