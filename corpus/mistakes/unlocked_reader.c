/* unravel-corpus
 * title: the proxy reads host and port of its target without the lock, because it only reads
 * stands-for: a mistake C programmers make: a reader that takes no lock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: host < read_host, read_port < port; read_host < host, port < read_port
 * repair: mutex, signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

/* Where the proxy forwards to: host 1 listens on port 81, host 2 on port 82. */
struct target {
    pthread_rwlock_t lock;
    int host;
    int port;
};

static struct target target = {PTHREAD_RWLOCK_INITIALIZER, 1, 81};

static void *reload(void *arg) {
    struct target *t = arg;

    pthread_rwlock_wrlock(&t->lock);
    t->host = 2; //@host
    t->port = 82; //@port
    pthread_rwlock_unlock(&t->lock);
    return NULL;
}

static void *forward(void *arg) {
    struct target *t = arg;
    int host = t->host; //@read_host
    int port = t->port; //@read_port

    assert(port == 80 + host); //@check
    return NULL;
}

int main(void) {
    pthread_t admin, client;

    pthread_create(&admin, NULL, reload, &target);
    pthread_create(&client, NULL, forward, &target);
    pthread_join(admin, NULL);
    pthread_join(client, NULL);
    return 0;
}
