/* unravel-corpus
 * title: two threads add to a sequential array list at the same index; one element overwrites the other
 * stands-for: ConcBugAssist, Table 1, list_seq
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: store < advance, store < advance; advance < advance, advance < advance; store < advance, advance < advance
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define MAX_MEMBERS 4

/* The members of a chat room. Identifiers begin at 1. */
struct room {
    int member[MAX_MEMBERS];
    size_t open; /* index of the next free place */
};

/* A connection on which one user comes in. */
struct client {
    pthread_t thread;
    struct room *room;
    int user;
};

static void room_init(struct room *room) {
    for (size_t i = 0; i < MAX_MEMBERS; i++)
        room->member[i] = 0;
    room->open = 0;
}

/* Adds a user, who is not in the room yet and for whom there is a place. */
static void room_add(struct room *room, int user) {
    room->member[room->open] = user; //@store
    room->open += 1;                 //@advance
}

static bool room_contains(const struct room *room, int user) {
    for (size_t i = 0; i < MAX_MEMBERS; i++)
        if (room->member[i] == user)
            return true;
    return false;
}

static void *client_main(void *arg) {
    struct client *self = arg;

    room_add(self->room, self->user);
    return NULL;
}

static void client_start(struct client *c, struct room *room, int user) {
    c->room = room;
    c->user = user;
    pthread_create(&c->thread, NULL, client_main, c);
}

static void client_wait(struct client *c) {
    pthread_join(c->thread, NULL);
}

int main(void) {
    static struct room lobby;
    static struct client alice, bob;

    room_init(&lobby);
    client_start(&alice, &lobby, 1);
    client_start(&bob, &lobby, 2);
    client_wait(&alice);
    client_wait(&bob);
    assert(room_contains(&lobby, 1) && room_contains(&lobby, 2)); //@check
    return 0;
}
