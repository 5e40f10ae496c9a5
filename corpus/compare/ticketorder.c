/* unravel-corpus
 * title: two clerks order a ticket for the same event and draw the same number: both read the counter before either advances it
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, ticketorder
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: advance < advance, draw < advance
 * repair: atomic, mutex, signal-wait
 * sizes: S 2 M 30 L 200
 */
#include <assert.h>
#include <pthread.h>

/* Orders that each clerk has, before the one that they both have. */
#ifndef SIZE
#define SIZE 2
#endif

#define CLERKS 2

/* An event with numbered tickets. */
struct event {
    int next; /* number of the next ticket */
};

/* A clerk and the events that nobody else orders tickets for. */
struct clerk {
    pthread_t thread;
    struct event matinee[SIZE];
    int tickets;
    int number; /* of the ticket for the gala */
};

static struct event gala;

static int event_draw(struct event *e) {
    int number = e->next; //@draw

    e->next = number + 1; //@advance
    return number;
}

static void *clerk_main(void *arg) {
    struct clerk *self = arg;

    for (int i = 0; i < SIZE; i++) {
        event_draw(&self->matinee[i]);
        self->tickets++;
    }
    self->number = event_draw(&gala);
    return NULL;
}

int main(void) {
    static struct clerk clerk[CLERKS];

    for (int i = 0; i < CLERKS; i++)
        pthread_create(&clerk[i].thread, NULL, clerk_main, &clerk[i]);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerk[i].thread, NULL);
    assert(clerk[0].number != clerk[1].number); //@check
    return 0;
}
