/* unravel-corpus
 * title: the first picture waits until the state of the camera says that it is ready
 * stands-for: a mistake C programmers make: a signal that is sent before anybody waits, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

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
    while (c->focus == 0)
        pthread_cond_wait(&c->ready, &c->lock); //@wait_ready
    c->pictures++;
    pthread_mutex_unlock(&c->lock);
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, camera_start, &camera);
    camera_shoot(&camera);
    pthread_join(thread, NULL);
    printf("%d picture\n", camera.pictures);
    return 0;
}
