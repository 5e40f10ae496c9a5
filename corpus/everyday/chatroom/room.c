#include "room.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t room_lock;
static struct member *seats[ROOM_SEATS];

void room_open(void) {
    pthread_mutex_init(&room_lock, NULL);
    memset(seats, 0, sizeof seats);
}

struct member *room_enter(const char *name) {
    struct member *m = calloc(1, sizeof *m);

    if (m == NULL)
        return NULL;
    strncpy(m->name, name, NAME_LENGTH - 1);
    pthread_mutex_lock(&room_lock);
    for (int i = 0; i < ROOM_SEATS; i++) {
        if (seats[i] == NULL) {
            seats[i] = m;
            pthread_mutex_unlock(&room_lock);
            return m;
        }
    }
    pthread_mutex_unlock(&room_lock);
    free(m);
    return NULL;
}

void room_leave(struct member *m) {
    pthread_mutex_lock(&room_lock);
    for (int i = 0; i < ROOM_SEATS; i++) {
        if (seats[i] == m)
            seats[i] = NULL;
    }
    pthread_mutex_unlock(&room_lock);
    free(m);
}

int room_say(const char *text) {
    int heard = 0;

    if (text[0] == '\0')
        return 0;
    for (int i = 0; i < ROOM_SEATS; i++) { //@all
        struct member *m = seats[i]; //@read
        if (m != NULL) {
            m->messages++; //@deliver
            heard++;
        }
    }
    return heard;
}
