/* unravel-corpus
 * title: the votes are announced when both counters have ended
 * stands-for: Alves et al., Table 3, no_sync, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_int votes;

static void *count_ballot(void *arg) {
    votes += 1; //@count
    return arg;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, count_ballot, NULL);
    pthread_create(&second, NULL, count_ballot, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(votes == 2); //@check
    printf("%d votes\n", votes);
    return 0;
}
