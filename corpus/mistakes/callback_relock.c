/* unravel-corpus
 * title: the bus keeps its lock while it calls the listener, and the listener unsubscribes
 * stands-for: a mistake C programmers make: a callback that calls back into the module that holds its lock
 * verdict: unsafe
 * property: misuse
 * at: unsubscribe
 * pattern: order violation
 * orders: subscribe < emit
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stddef.h>

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
    if (b->listener != NULL) //@emit
        b->listener(b, event);
    pthread_mutex_unlock(&b->lock);
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
    return 0;
}
