/* unravel-corpus
 * title: two nodes are locked in the order of their addresses, by all but one
 * stands-for: a mistake C programmers make: an order of locks that one function does not know
 * verdict: unsafe
 * property: deadlock
 * at: second
 * pattern: deadlock
 * orders: low < second, first < high
 * repair: lock-order, mutex
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A node of the cluster, with the jobs that wait on it. */
struct node {
    pthread_mutex_t lock;
    int jobs;
};

static struct node *east, *west;

static struct node *node_new(int jobs) {
    struct node *n = malloc(sizeof *n);

    if (n == NULL)
        exit(1);
    pthread_mutex_init(&n->lock, NULL);
    n->jobs = jobs;
    return n;
}

static void node_free(struct node *n) {
    pthread_mutex_destroy(&n->lock);
    free(n);
}

/* Two nodes are locked in the order of their addresses. */
static void lock_both(struct node *a, struct node *b) {
    if ((uintptr_t)a > (uintptr_t)b) {
        struct node *t = a;
        a = b;
        b = t;
    }
    pthread_mutex_lock(&a->lock); //@low
    pthread_mutex_lock(&b->lock); //@high
}

static void unlock_both(struct node *a, struct node *b) {
    pthread_mutex_unlock(&a->lock);
    pthread_mutex_unlock(&b->lock);
}

/* Moves half of the jobs. */
static void *balancer(void *arg) {
    lock_both(east, west);
    west->jobs += east->jobs / 2;
    east->jobs -= east->jobs / 2;
    unlock_both(east, west);
    return arg;
}

/* Empties a node before it is shut down. */
static void *drainer(void *arg) {
    pthread_mutex_lock(&west->lock); //@first
    pthread_mutex_lock(&east->lock); //@second
    east->jobs += west->jobs;
    west->jobs = 0;
    unlock_both(east, west);
    return arg;
}

int main(void) {
    pthread_t balance, drain;

    east = node_new(4);
    west = node_new(2);
    pthread_create(&balance, NULL, balancer, NULL);
    pthread_create(&drain, NULL, drainer, NULL);
    pthread_join(balance, NULL);
    pthread_join(drain, NULL);
    printf("%d jobs\n", east->jobs + west->jobs);
    node_free(west);
    node_free(east);
    return 0;
}
