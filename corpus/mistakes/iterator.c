/* unravel-corpus
 * title: the pinger lets go of the list between two clients; the client it stands on is removed and freed
 * stands-for: a mistake C programmers make: an iterator that is kept while the list is unlocked
 * verdict: unsafe
 * property: memory
 * at: advance
 * pattern: atomicity violation
 * orders: stand < unlink, free < advance
 * repair: widen, mutex, join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

struct client {
    struct client *next;
    int pings;
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct client *clients;

static void client_add(void) {
    struct client *c = calloc(1, sizeof *c);

    c->next = clients;
    clients = c;
}

static struct client *client_first(void) {
    pthread_mutex_lock(&list_lock);
    struct client *c = clients; //@stand
    pthread_mutex_unlock(&list_lock);
    return c;
}

static struct client *client_next(struct client *c) {
    pthread_mutex_lock(&list_lock);
    struct client *next = c->next; //@advance
    pthread_mutex_unlock(&list_lock);
    return next;
}

static void *ping_all(void *arg) {
    int *pings = arg;

    for (struct client *c = client_first(); c != NULL; c = client_next(c))
        (*pings)++; /* the list is unlocked while the ping is under way */
    return NULL;
}

static void client_remove_first(void) {
    pthread_mutex_lock(&list_lock);
    struct client *gone = clients;
    clients = gone->next; //@unlink
    free(gone);           //@free
    pthread_mutex_unlock(&list_lock);
}

int main(void) {
    pthread_t pinger;
    int pings = 0;

    client_add();
    client_add();
    pthread_create(&pinger, NULL, ping_all, &pings);
    client_remove_first();
    pthread_join(pinger, NULL);
    client_remove_first();
    return 0;
}
