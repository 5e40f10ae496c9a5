#include "session.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "table.h"

static pthread_mutex_t session_lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id = 1;

int session_create(const char *user) {
    struct session *s = malloc(sizeof *s);

    if (s == NULL)
        return -1;
    pthread_mutex_lock(&session_lock);
    s->id = next_id++;
    pthread_mutex_unlock(&session_lock);
    s->hits = 0;
    snprintf(s->user, sizeof s->user, "%s", user);
    table_put(s);
    return s->id;
}

void session_expire(int id) {
    struct session *s = table_remove(id); //@expire

    free(s); //@free
}

int session_hit(int id) {
    int hits = -1;

    pthread_mutex_lock(&session_lock);
    struct session *s = table_get(id);
    if (s != NULL)
        hits = ++s->hits; //@hit
    pthread_mutex_unlock(&session_lock);
    return hits;
}
