/* unravel-corpus
 * title: the votes are announced while both counters still count
 * stands-for: Alves et al., Table 3, no_sync
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < count
 * repair: signal-wait, join
 * differs: two joins are missing, so no line computes a wrong value: it is an order that is named
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int votes;

static void *count_ballot(void *arg) {
    votes += 1; //@count
    return arg;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, count_ballot, NULL);
    pthread_create(&second, NULL, count_ballot, NULL);
    assert(votes == 2); //@check
    return 0;
}
