#ifndef CONN_H
#define CONN_H

#include <pthread.h>

struct conn {
    pthread_mutex_t lock;
    int refs;
    int sent;
    char peer[20];
};

struct conn *conn_open(const char *peer);
struct conn *conn_ref(struct conn *c);
void conn_unref(struct conn *c);
void conn_send(struct conn *c, const char *text);

#endif
