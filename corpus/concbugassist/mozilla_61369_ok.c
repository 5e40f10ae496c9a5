/* unravel-corpus
 * title: the creator of a thread waits until the new thread has set itself up
 * stands-for: ConcBugAssist, Table 1, mozilla-61369, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define STATE_INVALID 'i'
#define STATE_VALID 'v'

/* A thread as the rest of the browser sees it. */
struct xp_thread {
    pthread_t id;
    pthread_mutex_t lock; /* guards the state */
    pthread_cond_t started;
    char state; /* becomes valid when the thread itself has started */
};

static struct xp_thread image_loader = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .started = PTHREAD_COND_INITIALIZER,
    .state = STATE_INVALID,
};

/* The first thing that a new thread does. */
static void *xp_thread_main(void *arg) {
    struct xp_thread *self = arg;

    pthread_mutex_lock(&self->lock);
    self->state = STATE_VALID;
    pthread_cond_signal(&self->started);
    pthread_mutex_unlock(&self->lock);
    return NULL;
}

/* Starts a thread and waits until it runs. */
static void xp_thread_start(struct xp_thread *thread) {
    pthread_create(&thread->id, NULL, xp_thread_main, thread);
    pthread_mutex_lock(&thread->lock);
    while (thread->state != STATE_VALID)
        pthread_cond_wait(&thread->started, &thread->lock);
    pthread_mutex_unlock(&thread->lock);
}

/* Only a thread that has started has a handle. */
static pthread_t xp_thread_handle(const struct xp_thread *thread) {
    assert(thread->state == STATE_VALID);
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
    pthread_join(layout, NULL);
    printf("image loader started\n");
    return 0;
}
