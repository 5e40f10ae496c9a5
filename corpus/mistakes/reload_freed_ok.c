/* unravel-corpus
 * title: a handler copies the configuration while it holds the lock
 * stands-for: a mistake C programmers make: a configuration that is freed on reload while somebody has it, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
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

static struct config config_current(void) {
    pthread_mutex_lock(&config_lock);
    struct config c = *config; //@take
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
    struct config c = config_current();

    *deadline = 100 + c.timeout; //@use
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
    printf("%s\n", deadline >= 130 ? "deadline set" : "no deadline");
    return 0;
}
