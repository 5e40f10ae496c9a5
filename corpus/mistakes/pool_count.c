/* unravel-corpus
 * title: the semaphore lets three clients in at a time, but the pool has two connections
 * stands-for: a mistake C programmers make: a semaphore that starts with the wrong count
 * verdict: unsafe
 * property: memory
 * at: take
 * pattern: atomicity violation
 * orders: take < give, take < give, take < take, take < take
 * repair: mutex
 * faulty-lines: count
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define CONNECTIONS 2
#define CLIENTS 3

/* Connections to a database. The semaphore counts those that nobody uses. */
struct pool {
    sem_t available;
    pthread_mutex_t lock;
    int *unused;
    int top;
};

static int connections[CONNECTIONS] = {5, 6};
static struct pool pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .unused = connections, .top = CONNECTIONS};

static int pool_take(struct pool *p) {
    sem_wait(&p->available);
    pthread_mutex_lock(&p->lock);
    int connection = p->unused[--p->top]; //@take
    pthread_mutex_unlock(&p->lock);
    return connection;
}

static void pool_give(struct pool *p, int connection) {
    pthread_mutex_lock(&p->lock);
    p->unused[p->top++] = connection; //@give
    pthread_mutex_unlock(&p->lock);
    sem_post(&p->available);
}

static void *client(void *arg) {
    int connection = pool_take(arg);

    pool_give(arg, connection);
    return NULL;
}

int main(void) {
    pthread_t clients[CLIENTS];

    sem_init(&pool.available, 0, CLIENTS); //@count
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&clients[i], NULL, client, &pool);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    return 0;
}
