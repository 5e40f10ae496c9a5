/* unravel-corpus
 * title: a message is delivered without the lock of the room, to a member who leaves meanwhile
 * stands-for: an everyday program: a chat room
 * verdict: unsafe
 * property: memory
 * at: deliver
 * fault: all, deliver, read
 * pattern: use after free
 * repair: mutex
 * patch: room.c
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "room.h"

static void *guest(void *arg) {
    const char *name = arg;
    struct member *m = room_enter(name);

    if (m == NULL) {
        fprintf(stderr, "%s: the room is full\n", name);
        return NULL;
    }
    room_leave(m);
    return NULL;
}

int main(int argc, char **argv) {
    const char *greeting = argc > 1 ? argv[1] : "hello";
    pthread_t anna;
    struct member *host;

    room_open();
    host = room_enter("host");
    if (host == NULL || pthread_create(&anna, NULL, guest, "anna") != 0) {
        fprintf(stderr, "%s: cannot start\n", argv[0]);
        return EXIT_FAILURE;
    }
    room_say(greeting);
    pthread_join(anna, NULL);
    printf("%s has %d message\n", host->name, host->messages);
    room_leave(host);
    return EXIT_SUCCESS;
}
