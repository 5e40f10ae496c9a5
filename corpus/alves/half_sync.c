/* unravel-corpus
 * title: the museum closes when one of its two entrances has reported, and counts a visitor too few
 * stands-for: Alves et al., Table 3, half_sync
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < count
 * repair: join, signal-wait
 * differs: a join is missing, so no line computes a wrong value: it is an order that is named
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int visitors;

static void *entrance(void *arg) {
    visitors += 1; //@count
    return arg;
}

int main(void) {
    pthread_t north, south;

    pthread_create(&north, NULL, entrance, NULL);
    pthread_create(&south, NULL, entrance, NULL);
    pthread_join(north, NULL);
    assert(visitors == 2); //@check
    return 0;
}
