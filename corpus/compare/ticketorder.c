/* unravel-corpus
 * title: two clerks order tickets for the same events and draw the same number, as they read the counter before either one advances it
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, ticketorder
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: advance < advance, draw < advance
 * repair: mutex, atomic, signal-wait
 * sizes: S 2 M 26 L 180
 */
#include <assert.h>
#include <pthread.h>

/* Events that tickets are ordered for. */
#ifndef SIZE
#define SIZE 2
#endif

#define CLERKS 2

/* The number of the next ticket, for each event. */
struct box_office {
    int next[SIZE];
};

/* A clerk orders one ticket for each event. */
struct clerk {
    pthread_t thread;
    int ticket[SIZE];
};

static struct box_office office;
static struct clerk clerk[CLERKS];

static int office_draw(struct box_office *o, int event) {
    int number = o->next[event]; //@draw

    o->next[event] = number + 1; //@advance
    return number;
}

static void *clerk_main(void *arg) {
    struct clerk *self = arg;

    for (int event = 0; event < SIZE; event++)
        self->ticket[event] = office_draw(&office, event); //@order
    return NULL;
}

int main(void) {
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&clerk[i].thread, NULL, clerk_main, &clerk[i]);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerk[i].thread, NULL);
    for (int event = 0; event < SIZE; event++)
        assert(clerk[0].ticket[event] != clerk[1].ticket[event]); //@check
    return 0;
}
