/* unravel-corpus
 * title: two agents both sell the last seat that is left: the lock is given back between the look and the sale
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, airline
 * verdict: unsafe
 * property: reach
 * at: oversold
 * pattern: atomicity violation
 * orders: look < sell, sell < oversold
 * repair: widen, signal-wait
 * sizes: S 4 M 60 L 300
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* Passengers that each agent serves. */
#ifndef SIZE
#define SIZE 4
#endif

#define AGENTS 2
#define CONTINGENT (SIZE - 1) /* seats that each agent sells alone */

/* A flight with the seats that are in no agent's contingent. */
struct flight {
    pthread_mutex_t lock;
    int seats_left;
};

/* A travel agency, which has one passenger more than seats of its own. */
struct agent {
    pthread_t thread;
    int sold;
};

static struct flight flight = {PTHREAD_MUTEX_INITIALIZER, 1};

static bool flight_has_seat(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    bool has_seat = f->seats_left > 0; //@look
    pthread_mutex_unlock(&f->lock);
    return has_seat;
}

static void flight_sell(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    f->seats_left--;            //@sell
    assert(f->seats_left >= 0); //@oversold
    pthread_mutex_unlock(&f->lock);
}

/* Finds a seat for a passenger, in the contingent as long as it lasts. */
static bool agent_find_seat(int passenger) {
    if (passenger < CONTINGENT)
        return true;
    if (!flight_has_seat(&flight))
        return false;
    flight_sell(&flight);
    return true;
}

static void *agent_main(void *arg) {
    struct agent *self = arg;

    for (int passenger = 0; passenger < SIZE; passenger++) {
        if (agent_find_seat(passenger))
            self->sold++;
    }
    return NULL;
}

int main(void) {
    static struct agent agent[AGENTS];

    for (int i = 0; i < AGENTS; i++) {
        pthread_create(&agent[i].thread, NULL, agent_main, &agent[i]);
    }
    for (int i = 0; i < AGENTS; i++)
        pthread_join(agent[i].thread, NULL);
    return 0;
}
