/* unravel-corpus
 * title: two players throw the same dice of drand48, which has one state for all threads
 * stands-for: lrand48
 * verdict: unsafe
 * property: race
 * at: throw, other
 * flags: --races
 * pattern: data race
 * repair: mutex
 */
#include <pthread.h>
#include <stdlib.h>

static long throws[2];

static void *player(void *arg) {
    throws[1] = lrand48(); //@other
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, player, NULL);
    throws[0] = lrand48(); //@throw
    pthread_join(t, NULL);
    return throws[0] == throws[1];
}
