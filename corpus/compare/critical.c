/* unravel-corpus
 * title: two robots find the crossing of their tracks free and both go in: the flag is tested and set in two steps
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, critical
 * verdict: unsafe
 * property: reach
 * at: alone
 * pattern: atomicity violation
 * orders: enter < alone, enter < enter
 * repair: atomic, mutex
 * sizes: S 1 M 15 L 100
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

/* Cells of each track. */
#ifndef SIZE
#define SIZE 1
#endif

#define ROBOTS 2

/* A part of a track that has room for one robot. */
struct cell {
    bool is_taken;
    int robot; /* who is in it */
};

/* A robot has a track of its own. It ends at the crossing. */
struct robot {
    pthread_t thread;
    int number;
    struct cell track[SIZE];
};

static struct cell crossing;

static bool cell_enter(struct cell *c) {
    if (c->is_taken) //@test
        return false;
    c->is_taken = true; //@set
    return true;
}

static void cell_leave(struct cell *c) {
    c->is_taken = false; //@clear
}

/* Goes through a cell, or around it if it is taken. */
static void robot_pass(const struct robot *r, struct cell *c) {
    if (!cell_enter(c))
        return;
    c->robot = r->number;          //@enter
    assert(c->robot == r->number); //@alone
    cell_leave(c);
}

static void *robot_main(void *arg) {
    struct robot *self = arg;

    for (int i = 0; i < SIZE; i++)
        robot_pass(self, &self->track[i]);
    robot_pass(self, &crossing);
    return NULL;
}

int main(void) {
    static struct robot robot[ROBOTS];

    for (int i = 0; i < ROBOTS; i++) {
        robot[i].number = i + 1;
        pthread_create(&robot[i].thread, NULL, robot_main, &robot[i]);
    }
    for (int i = 0; i < ROBOTS; i++)
        pthread_join(robot[i].thread, NULL);
    return 0;
}
