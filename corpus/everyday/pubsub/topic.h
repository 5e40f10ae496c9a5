#ifndef TOPIC_H
#define TOPIC_H

#include <pthread.h>

#define MAX_SUBSCRIBERS 3

struct subscriber;

struct topic {
    pthread_mutex_t lock;
    const char *name;
    struct subscriber *subscribers[MAX_SUBSCRIBERS];
    int count;
};

void topic_init(struct topic *t, const char *name);
int topic_add(struct topic *t, struct subscriber *s);
void topic_remove(struct topic *t, struct subscriber *s);
void topic_publish(struct topic *t, const char *text);

#endif
