/* unravel-corpus
 * title: two balancers add each other's load five times; only strict alternation reaches 144
 * stands-for: ConcBugAssist, Table 1, fibbench
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: east < check, east < west, east < west, east < west, east < west, west < east, west < east, west < east, west < east, west < east; east < west, east < west, east < west, east < west, east < west, west < check, west < east, west < east, west < east, west < east
 * repair: mutex, signal-wait
 * turns: 5
 */
#include <assert.h>
#include <pthread.h>

#define ROUNDS 5
#define ALARM 144 /* Fibonacci number 2 * ROUNDS + 2 */

/* What each half of the cluster believes it has to carry. */
static int east_load = 1;
static int west_load = 1;

static void *balance_east(void *arg) {
    (void)arg;
    for (int round = 0; round < ROUNDS; round++)
        east_load += west_load; //@east
    return NULL;
}

static void *balance_west(void *arg) {
    (void)arg;
    for (int round = 0; round < ROUNDS; round++)
        west_load += east_load; //@west
    return NULL;
}

int main(void) {
    pthread_t east, west;

    pthread_create(&east, NULL, balance_east, NULL);
    pthread_create(&west, NULL, balance_west, NULL);

    /* The balancers go on; the monitor looks at any moment. */
    assert(east_load < ALARM && west_load < ALARM); //@check
    return 0;
}
