#include "server.h"

static void *handler(void *arg) {
    struct conn *c = arg;

    conn_send(c, "welcome\n");
    conn_unref(c);
    return NULL;
}

int serve(pthread_t *thread, struct conn *c) {
    int error = pthread_create(thread, NULL, handler, conn_ref(c));

    if (error != 0)
        conn_unref(c);
    return error;
}
