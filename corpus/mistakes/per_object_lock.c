/* unravel-corpus
 * title: each connection has a lock, and under it counts in a total that all connections share
 * stands-for: a mistake C programmers make: a lock per object that guards what belongs to all objects
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: total < total, total < total
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct connection {
    pthread_mutex_t lock;
    int bytes;
};

static struct connection upstream = {.lock = PTHREAD_MUTEX_INITIALIZER};
static struct connection downstream = {.lock = PTHREAD_MUTEX_INITIALIZER};
static int total_bytes; /* over all connections */

static void connection_count(struct connection *c, int bytes) {
    pthread_mutex_lock(&c->lock);
    c->bytes += bytes;
    total_bytes += bytes; //@total
    pthread_mutex_unlock(&c->lock);
}

static void *transfer(void *arg) {
    connection_count(arg, 10);
    return NULL;
}

int main(void) {
    pthread_t up, down;

    pthread_create(&up, NULL, transfer, &upstream);
    pthread_create(&down, NULL, transfer, &downstream);
    pthread_join(up, NULL);
    pthread_join(down, NULL);
    assert(total_bytes == upstream.bytes + downstream.bytes); //@check
    return 0;
}
