/* unravel-corpus
 * title: the pinger keeps the list locked until it is through
 * stands-for: a mistake C programmers make: an iterator that is kept while the list is unlocked, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
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

static void *ping_all(void *arg) {
    int *pings = arg;

    pthread_mutex_lock(&list_lock);
    for (struct client *c = clients; c != NULL; c = c->next)
        (*pings)++;
    pthread_mutex_unlock(&list_lock);
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
    printf("%s\n", pings > 0 ? "pinged" : "nobody");
    return 0;
}
