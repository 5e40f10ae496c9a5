/* unravel-corpus
 * title: references are counted with atomic increments and decrements
 * stands-for: ConcBugAssist, Table 1, glib-512624, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#define MESSAGES 3

/* An object that is passed along with messages. */
struct object {
    const char *type_name;
    atomic_int refs; /* held by messages; below 0 while a receiver is ahead */
};

/* One end of a channel: it sends or receives MESSAGES messages. */
struct endpoint {
    pthread_t thread;
    struct object *subject;
    int done;
};

static void object_init(struct object *object, const char *type_name) {
    object->type_name = type_name;
    atomic_init(&object->refs, 0);
}

static void object_ref(struct object *object) {
    atomic_fetch_add(&object->refs, 1);
}

static void object_unref(struct object *object) {
    atomic_fetch_sub(&object->refs, 1);
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
    assert(atomic_load(&window.refs) == 0);
    printf("%s: %d references left\n", window.type_name, atomic_load(&window.refs));
    return 0;
}
