/* unravel-corpus
 * title: the place of the leader is tested and taken by one compare-and-swap
 * stands-for: a mistake C programmers make: an atomic load and an atomic store for test-and-set, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct server {
    int number;
    bool leads;
};

static atomic_int leader; /* 0: nobody yet */

static void server_elect(struct server *s) {
    int nobody = 0;

    s->leads = atomic_compare_exchange_strong(&leader, &nobody, s->number); //@take
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
    printf("%d leader\n", servers[0].leads + servers[1].leads);
    return 0;
}
