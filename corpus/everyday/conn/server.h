#ifndef SERVER_H
#define SERVER_H

#include "conn.h"

/* Serves the connection in a thread, which has a reference of its own. */
int serve(pthread_t *thread, struct conn *c);

#endif
