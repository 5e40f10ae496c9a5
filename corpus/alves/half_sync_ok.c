/* unravel-corpus
 * title: the museum closes when both entrances have reported
 * stands-for: Alves et al., Table 3, half_sync, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

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
    pthread_join(south, NULL);
    assert(visitors == 2); //@check
    printf("%d visitors\n", visitors);
    return 0;
}
