#include "subscriber.h"

#include <stdio.h>

#include "topic.h"

int subscriber_join(struct subscriber *s, struct topic *t) {
    pthread_mutex_init(&s->lock, NULL);
    s->topic = t;
    s->received = 0;
    return topic_add(t, s);
}

void subscriber_deliver(struct subscriber *s, const char *text) {
    pthread_mutex_lock(&s->lock);
    s->received++;
    snprintf(s->last, sizeof s->last, "%s", text);
    pthread_mutex_unlock(&s->lock);
}

void subscriber_quit(struct subscriber *s) {
    struct topic *t;

    pthread_mutex_lock(&s->lock);
    t = s->topic;
    s->topic = NULL;
    pthread_mutex_unlock(&s->lock);
    if (t != NULL)
        topic_remove(t, s);
}
