/* unravel-corpus
 * title: the camera says that it is ready before anybody listens, and the first picture waits forever
 * stands-for: a mistake C programmers make: a signal that is sent before anybody waits
 * verdict: unsafe
 * property: deadlock
 * at: wait_ready
 * pattern: lost wakeup
 * orders: ready < wait_ready
 * repair: predicate-loop
 */
#include <pthread.h>
#include <stddef.h>

/* A camera that must be ready before the first picture. */
struct camera {
    pthread_mutex_t lock;
    pthread_cond_t ready;
    int focus;
    int pictures;
};

static struct camera camera = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .ready = PTHREAD_COND_INITIALIZER};

static void *camera_start(void *arg) {
    struct camera *c = arg;

    pthread_mutex_lock(&c->lock);
    c->focus = 5;
    pthread_cond_signal(&c->ready); //@ready
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static void camera_shoot(struct camera *c) {
    pthread_mutex_lock(&c->lock);
    pthread_cond_wait(&c->ready, &c->lock); //@wait_ready
    c->pictures++;
    pthread_mutex_unlock(&c->lock);
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, camera_start, &camera);
    camera_shoot(&camera);
    pthread_join(thread, NULL);
    return 0;
}
