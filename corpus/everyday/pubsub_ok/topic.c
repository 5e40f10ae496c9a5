#include "topic.h"

#include "subscriber.h"

void topic_init(struct topic *t, const char *name) {
    pthread_mutex_init(&t->lock, 0);
    t->name = name;
    t->count = 0;
}

int topic_add(struct topic *t, struct subscriber *s) {
    int result = -1;

    pthread_mutex_lock(&t->lock);
    if (t->count < MAX_SUBSCRIBERS) {
        t->subscribers[t->count++] = s;
        result = 0;
    }
    pthread_mutex_unlock(&t->lock);
    return result;
}

void topic_remove(struct topic *t, struct subscriber *s) {
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->count; i++) {
        if (t->subscribers[i] == s) {
            t->subscribers[i] = t->subscribers[--t->count];
            break;
        }
    }
    pthread_mutex_unlock(&t->lock);
}

void topic_publish(struct topic *t, const char *text) {
    pthread_mutex_lock(&t->lock);
    for (int i = 0; i < t->count; i++)
        subscriber_deliver(t->subscribers[i], text);
    pthread_mutex_unlock(&t->lock);
}
