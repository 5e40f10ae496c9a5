/* unravel-corpus
 * title: the creator of a thread uses the thread object before the new thread has set it up
 * stands-for: ConcBugAssist, Table 1, mozilla-61369
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < ready
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

#define STATE_INVALID 'i'
#define STATE_VALID 'v'

/* A thread as the rest of the browser sees it. */
struct xp_thread {
    pthread_t id;
    char state; /* becomes valid when the thread itself has started */
};

static struct xp_thread image_loader = {.state = STATE_INVALID};

/* The first thing that a new thread does. */
static void *xp_thread_main(void *arg) {
    struct xp_thread *self = arg;

    self->state = STATE_VALID; //@ready
    return NULL;
}

static void xp_thread_start(struct xp_thread *thread) {
    pthread_create(&thread->id, NULL, xp_thread_main, thread);
}

/* Only a thread that has started has a handle. */
static pthread_t xp_thread_handle(const struct xp_thread *thread) {
    assert(thread->state == STATE_VALID); //@check
    return thread->id;
}

/* Starts a helper thread and makes it clean up after itself. */
static void *layout_main(void *arg) {
    struct xp_thread *loader = arg;

    xp_thread_start(loader);
    pthread_detach(xp_thread_handle(loader));
    return NULL;
}

int main(void) {
    pthread_t layout;

    pthread_create(&layout, NULL, layout_main, &image_loader);
    pthread_exit(NULL);
}
