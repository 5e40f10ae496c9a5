#include "conn.h"

#include <stdlib.h>
#include <string.h>

struct conn *conn_open(const char *peer) {
    struct conn *c = calloc(1, sizeof *c);

    if (c == NULL)
        return NULL;
    pthread_mutex_init(&c->lock, NULL);
    strncpy(c->peer, peer, sizeof c->peer - 1);
    c->refs = 1;
    return c;
}

struct conn *conn_ref(struct conn *c) {
    pthread_mutex_lock(&c->lock);
    c->refs++;
    pthread_mutex_unlock(&c->lock);
    return c;
}

static void conn_free(struct conn *c) {
    pthread_mutex_destroy(&c->lock); //@destroy
    free(c);
}

void conn_unref(struct conn *c) {
    pthread_mutex_lock(&c->lock);
    c->refs--;
    pthread_mutex_unlock(&c->lock);
    if (c->refs == 0) //@read
        conn_free(c);
}

void conn_send(struct conn *c, const char *text) {
    pthread_mutex_lock(&c->lock);
    c->sent += (int)strlen(text);
    pthread_mutex_unlock(&c->lock);
}
