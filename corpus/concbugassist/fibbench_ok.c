/* unravel-corpus
 * title: a balancer does its five rounds in one piece, so the loads stay far below 144
 * stands-for: ConcBugAssist, Table 1, fibbench, repaired
 * verdict: safe
 * output: deterministic
 * turns: 5
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ROUNDS 5
#define ALARM 144 /* Fibonacci number 2 * ROUNDS + 2 */

static pthread_mutex_t balancing = PTHREAD_MUTEX_INITIALIZER;

/* What each half of the cluster believes it has to carry. */
static int east_load = 1;
static int west_load = 1;

static void *balance_east(void *arg) {
    (void)arg;
    pthread_mutex_lock(&balancing);
    for (int round = 0; round < ROUNDS; round++)
        east_load += west_load; //@east
    pthread_mutex_unlock(&balancing);
    return NULL;
}

static void *balance_west(void *arg) {
    (void)arg;
    pthread_mutex_lock(&balancing);
    for (int round = 0; round < ROUNDS; round++)
        west_load += east_load; //@west
    pthread_mutex_unlock(&balancing);
    return NULL;
}

int main(void) {
    pthread_t east, west;

    pthread_create(&east, NULL, balance_east, NULL);
    pthread_create(&west, NULL, balance_west, NULL);

    /* The balancers go on; the monitor looks at any moment. */
    pthread_mutex_lock(&balancing);
    assert(east_load < ALARM && west_load < ALARM); //@check
    pthread_mutex_unlock(&balancing);

    pthread_join(east, NULL);
    pthread_join(west, NULL);
    printf("total load %d\n", east_load + west_load);
    return 0;
}
