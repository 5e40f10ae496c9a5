/* unravel-corpus
 * title: the configuration is published before it is filled, and the quick test outside the lock believes it
 * stands-for: a mistake C programmers make: double-checked initialization
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: publish < got, use < fill
 * repair: widen, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define PORT 8080

struct config {
    int port;
    int timeout;
};

static struct config storage;
static struct config *config; /* null until the first use */
static pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;

/* Stands for reading the file. */
static void config_load(struct config *c) {
    c->timeout = 30;
    c->port = PORT; //@fill
}

/* The configuration, read once. The first test spares the lock. */
static const struct config *config_get(void) {
    if (config == NULL) { //@quick
        pthread_mutex_lock(&config_lock);
        if (config == NULL) {
            config = &storage; //@publish
            config_load(&storage);
        }
        pthread_mutex_unlock(&config_lock);
    }
    return config; //@got
}

static void *listener(void *arg) {
    int port = config_get()->port; //@use

    assert(port == PORT); //@check
    return arg;
}

int main(void) {
    pthread_t web, admin;

    pthread_create(&web, NULL, listener, NULL);
    pthread_create(&admin, NULL, listener, NULL);
    pthread_join(web, NULL);
    pthread_join(admin, NULL);
    return 0;
}
