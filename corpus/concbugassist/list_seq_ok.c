/* unravel-corpus
 * title: both threads hold the lock of the list while they add
 * stands-for: ConcBugAssist, Table 1, list_seq, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_MEMBERS 4

/* The members of a chat room. Identifiers begin at 1. */
struct room {
    pthread_mutex_t lock; /* guards the rest */
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
    pthread_mutex_init(&room->lock, NULL);
    for (size_t i = 0; i < MAX_MEMBERS; i++)
        room->member[i] = 0;
    room->open = 0;
}

/* Adds a user, who is not in the room yet and for whom there is a place. */
static void room_add(struct room *room, int user) {
    pthread_mutex_lock(&room->lock);
    room->member[room->open] = user;
    room->open += 1;
    pthread_mutex_unlock(&room->lock);
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
    assert(room_contains(&lobby, 1) && room_contains(&lobby, 2));
    pthread_mutex_destroy(&lobby.lock);
    printf("%zu members\n", lobby.open);
    return 0;
}
