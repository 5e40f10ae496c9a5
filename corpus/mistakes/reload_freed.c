/* unravel-corpus
 * title: a handler takes the configuration under the lock and uses it outside; a reload frees it meanwhile
 * stands-for: a mistake C programmers make: a configuration that is freed on reload while somebody has it
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: atomicity violation
 * orders: take < swap, free < use
 * repair: widen, mutex, join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

struct config {
    int timeout;
};

static pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;
static struct config *config;

static struct config *config_new(int timeout) {
    struct config *c = malloc(sizeof *c);

    c->timeout = timeout;
    return c;
}

static const struct config *config_current(void) {
    pthread_mutex_lock(&config_lock);
    const struct config *c = config; //@take
    pthread_mutex_unlock(&config_lock);
    return c;
}

static void config_reload(int timeout) {
    struct config *fresh = config_new(timeout);

    pthread_mutex_lock(&config_lock);
    struct config *old = config;
    config = fresh; //@swap
    pthread_mutex_unlock(&config_lock);
    free(old); //@free
}

static void *handler(void *arg) {
    int *deadline = arg;
    const struct config *c = config_current();

    *deadline = 100 + c->timeout; //@use
    return NULL;
}

int main(void) {
    pthread_t thread;
    int deadline = 0;

    config = config_new(30);
    pthread_create(&thread, NULL, handler, &deadline);
    config_reload(60);
    pthread_join(thread, NULL);
    free(config);
    return deadline == 130 || deadline == 160 ? 0 : 1;
}
