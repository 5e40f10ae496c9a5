/* unravel-corpus
 * title: the acceptor moves the selector choice on without the lock that the reaper holds to move it back
 * stands-for: ConcBugAssist, Table 1, jetty-1187
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: advance < retreat, retreat < advance
 * repair: mutex, atomic, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

/* Spreads connections over a number of selectors, one after the other. */
struct selector_manager {
    pthread_mutex_t lock;
    int selectors;
    int next; /* whose turn it is, modulo the number of selectors */
};

struct connection {
    struct selector_manager *manager;
    int selector;
};

static struct selector_manager manager = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .selectors = 2,
};

/* Chooses a selector for a new connection. */
static int manager_register(struct selector_manager *m) {
    int turn = m->next++; //@advance
    return abs(turn) % m->selectors;
}

/* A connection has gone; the next one may have its turn. */
static void manager_unregister(struct selector_manager *m) {
    pthread_mutex_lock(&m->lock);
    m->next--; //@retreat
    pthread_mutex_unlock(&m->lock);
}

/* Accepts a connection. */
static void *acceptor(void *arg) {
    struct connection *c = arg;

    c->selector = manager_register(c->manager);
    return NULL;
}

/* Closes a connection that has been idle for too long. */
static void *reaper(void *arg) {
    struct connection *c = arg;

    manager_unregister(c->manager);
    return NULL;
}

int main(void) {
    static struct connection fresh = {.manager = &manager};
    static struct connection idle = {.manager = &manager};
    pthread_t accepting, reaping;

    pthread_create(&accepting, NULL, acceptor, &fresh);
    pthread_create(&reaping, NULL, reaper, &idle);
    pthread_join(accepting, NULL);
    pthread_join(reaping, NULL);

    /* One came and one went. */
    assert(manager.next == 0); //@check
    return 0;
}
