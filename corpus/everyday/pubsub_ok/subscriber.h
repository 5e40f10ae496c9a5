#ifndef SUBSCRIBER_H
#define SUBSCRIBER_H

#include <pthread.h>

struct topic;

struct subscriber {
    pthread_mutex_t lock;
    struct topic *topic;
    int received;
    char last[16];
};

int subscriber_join(struct subscriber *s, struct topic *t);
void subscriber_deliver(struct subscriber *s, const char *text);
void subscriber_quit(struct subscriber *s);

#endif
