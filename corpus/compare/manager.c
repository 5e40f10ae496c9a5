/* unravel-corpus
 * title: two clients give back a resource, both then see that nobody has it any more, and both free its memory
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, manager
 * verdict: unsafe
 * property: memory
 * at: release
 * pattern: atomicity violation
 * orders: count < last, count < last
 * repair: widen, mutex
 * sizes: S 2 M 12 L 58
 */
#include <pthread.h>
#include <stdlib.h>

/* Resources of the manager. */
#ifndef SIZE
#define SIZE 2
#endif

#define CLIENTS 2

/* Memory that several clients use. Who gives it back last frees it. */
struct resource {
    pthread_mutex_t lock;
    int clients;
    int *memory;
};

struct client {
    pthread_t thread;
    int returned; /* resources that it has given back */
};

static struct resource resource[SIZE];

static void resource_init(struct resource *r, int clients) {
    pthread_mutex_init(&r->lock, NULL);
    r->clients = clients;
    r->memory = malloc(sizeof *r->memory);
    if (r->memory == NULL)
        abort();
}

static void resource_give_back(struct resource *r) {
    pthread_mutex_lock(&r->lock);
    r->clients--; //@count
    pthread_mutex_unlock(&r->lock);
    if (r->clients == 0) //@last
        free(r->memory); //@release
}

static void *client_main(void *arg) {
    struct client *self = arg;

    for (int i = 0; i < SIZE; i++) {
        resource_give_back(&resource[i]);
        self->returned++;
    }
    return NULL;
}

int main(void) {
    static struct client client[CLIENTS];

    /* The manager keeps all but the last resource for itself, too. */
    for (int i = 0; i < SIZE; i++)
        resource_init(&resource[i], i < SIZE - 1 ? CLIENTS + 1 : CLIENTS);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&client[i].thread, NULL, client_main, &client[i]);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client[i].thread, NULL);
    for (int i = 0; i < SIZE - 1; i++)
        resource_give_back(&resource[i]);
    return 0;
}
