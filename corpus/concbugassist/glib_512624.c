/* unravel-corpus
 * title: one thread takes references with plain increments, the other drops them with plain decrements; updates are lost
 * stands-for: ConcBugAssist, Table 1, glib-512624
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: ref < unref, unref < ref
 * repair: atomic, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define MESSAGES 3

/* An object that is passed along with messages. */
struct object {
    const char *type_name;
    int refs; /* held by messages; below 0 while a receiver is ahead */
};

/* One end of a channel: it sends or receives MESSAGES messages. */
struct endpoint {
    pthread_t thread;
    struct object *subject;
    int done;
};

static void object_init(struct object *object, const char *type_name) {
    object->type_name = type_name;
    object->refs = 0;
}

static void object_ref(struct object *object) {
    object->refs += 1; //@ref
}

static void object_unref(struct object *object) {
    object->refs -= 1; //@unref
}

/* Every message that goes out holds a reference to its subject. */
static void *send_all(void *arg) {
    struct endpoint *self = arg;

    while (self->done < MESSAGES) {
        object_ref(self->subject);
        self->done++;
    }
    return NULL;
}

/* Every message that was handled lets its subject go. */
static void *receive_all(void *arg) {
    struct endpoint *self = arg;

    while (self->done < MESSAGES) {
        object_unref(self->subject);
        self->done++;
    }
    return NULL;
}

static void endpoint_start(struct endpoint *e, struct object *subject, void *(*body)(void *)) {
    e->subject = subject;
    e->done = 0;
    pthread_create(&e->thread, NULL, body, e);
}

int main(void) {
    static struct object window;
    static struct endpoint sender, receiver;

    object_init(&window, "Window");
    endpoint_start(&sender, &window, send_all);
    endpoint_start(&receiver, &window, receive_all);
    pthread_join(sender.thread, NULL);
    pthread_join(receiver.thread, NULL);

    /* As many messages were sent as received. */
    assert(window.refs == 0); //@check
    return 0;
}
