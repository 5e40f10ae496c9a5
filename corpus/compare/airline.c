/* unravel-corpus
 * title: two agents see one seat left, and both sell it: the lock is given back between the look and the sale
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, airline
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * sizes: S 2 M 14 L 90
 * repair: widen, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* Passengers that each agent serves. */
#ifndef SIZE
#define SIZE 2
#endif

#define AGENTS 2
#define SEATS (AGENTS * SIZE - 1)

struct flight {
    pthread_mutex_t lock;
    int sold;
};

/* A travel agency with a queue of passengers. */
struct agent {
    pthread_t thread;
    struct flight *flight;
    int tickets; /* sold so far */
};

static bool flight_has_room(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    bool room = f->sold < SEATS; //@look
    pthread_mutex_unlock(&f->lock);
    return room;
}

static void flight_sell(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    f->sold++; //@sell
    pthread_mutex_unlock(&f->lock);
}

static void *agent_main(void *arg) {
    struct agent *self = arg;

    for (int passenger = 0; passenger < SIZE; passenger++) {
        if (flight_has_room(self->flight)) {
            flight_sell(self->flight);
            self->tickets++;
        }
    }
    return NULL;
}

int main(void) {
    static struct flight flight = {.lock = PTHREAD_MUTEX_INITIALIZER};
    static struct agent agent[AGENTS];

    for (int i = 0; i < AGENTS; i++) {
        agent[i].flight = &flight;
        pthread_create(&agent[i].thread, NULL, agent_main, &agent[i]);
    }
    for (int i = 0; i < AGENTS; i++)
        pthread_join(agent[i].thread, NULL);
    assert(flight.sold <= SEATS); //@check
    return 0;
}
