/* unravel-corpus
 * title: a subscriber quits with its lock held and wants that of the topic; the topic does the reverse
 * stands-for: an everyday program: a publisher and subscribers
 * verdict: unsafe
 * property: deadlock
 * at: remove, deliver
 * fault: quit, remove, deliver
 * pattern: deadlock
 * repair: lock-order
 * patch: subscriber.c
 */
#include <pthread.h>
#include <stdio.h>

#include "subscriber.h"
#include "topic.h"

static struct topic news;

static void *publisher(void *arg) {
    topic_publish(&news, arg);
    return NULL;
}

static void *reader(void *arg) {
    subscriber_quit(arg);
    return NULL;
}

int main(int argc, char **argv) {
    struct subscriber paper, radio;
    pthread_t publishing, quitting;

    topic_init(&news, "news");
    if (subscriber_join(&paper, &news) != 0 || subscriber_join(&radio, &news) != 0)
        return 1;
    if (pthread_create(&publishing, NULL, publisher, argc > 1 ? argv[1] : "rain") != 0 ||
        pthread_create(&quitting, NULL, reader, &radio) != 0) {
        fprintf(stderr, "%s: no threads\n", argv[0]);
        return 1;
    }
    pthread_join(publishing, NULL);
    pthread_join(quitting, NULL);
    printf("%s: %s, %d subscriber\n", news.name, paper.last, news.count);
    return 0;
}
