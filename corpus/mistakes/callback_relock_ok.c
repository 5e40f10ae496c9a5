/* unravel-corpus
 * title: the bus gives back its lock before it calls the listener
 * stands-for: a mistake C programmers make: a callback that calls back into the module that holds its lock, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* A bus with room for one listener. */
struct bus {
    pthread_mutex_t lock;
    void (*listener)(struct bus *, int);
    int events;
};

static struct bus bus = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void bus_subscribe(struct bus *b, void (*listener)(struct bus *, int)) {
    pthread_mutex_lock(&b->lock);
    b->listener = listener; //@subscribe
    pthread_mutex_unlock(&b->lock);
}

static void bus_unsubscribe(struct bus *b) {
    pthread_mutex_lock(&b->lock); //@unsubscribe
    b->listener = NULL;
    pthread_mutex_unlock(&b->lock);
}

static void bus_emit(struct bus *b, int event) {
    pthread_mutex_lock(&b->lock);
    b->events++;
    void (*listener)(struct bus *, int) = b->listener; //@emit
    pthread_mutex_unlock(&b->lock);
    if (listener != NULL)
        listener(b, event);
}

/* Listens once. */
static void on_first_event(struct bus *b, int event) {
    if (event > 0)
        bus_unsubscribe(b);
}

static void *window(void *arg) {
    bus_subscribe(arg, on_first_event);
    return NULL;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, window, &bus);
    bus_emit(&bus, 7);
    pthread_join(thread, NULL);
    printf("%d event\n", bus.events);
    return 0;
}
