/* unravel-corpus
 * title: two servers find the place of the leader free, and both take it
 * stands-for: a mistake C programmers make: an atomic load and an atomic store for test-and-set
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < take, take < take; test < take, test < take
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct server {
    int number;
    bool leads;
};

static atomic_int leader; /* 0: nobody yet */

static void server_elect(struct server *s) {
    if (atomic_load(&leader) != 0) //@test
        return;
    atomic_store(&leader, s->number); //@take
    s->leads = true;
}

static void *server_run(void *arg) {
    server_elect(arg);
    return NULL;
}

int main(void) {
    pthread_t east, west;
    struct server servers[2] = {{1, false}, {2, false}};

    pthread_create(&east, NULL, server_run, &servers[0]);
    pthread_create(&west, NULL, server_run, &servers[1]);
    pthread_join(east, NULL);
    pthread_join(west, NULL);
    assert(servers[0].leads != servers[1].leads); //@check
    return 0;
}
