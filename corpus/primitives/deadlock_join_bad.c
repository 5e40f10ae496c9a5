/* unravel-corpus
 * title: main joins the worker while it holds the mutex the worker needs
 * stands-for: deadlock of kind (a): a mutex and the end of a thread
 * verdict: unsafe
 * property: deadlock
 * at: join, lock
 * pattern: deadlock
 * orders: hold < lock
 * repair: signal-wait
 */
#include <pthread.h>

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static int running = 1;

static void *finish(void *arg) {
    (void)arg;
    pthread_mutex_lock(&state); //@lock
    running = 0;
    pthread_mutex_unlock(&state);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, finish, NULL);
    pthread_mutex_lock(&state); //@hold
    if (running)
        pthread_join(t, NULL); //@join
    pthread_mutex_unlock(&state);
    return 0;
}
