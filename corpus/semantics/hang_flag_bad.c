/* unravel-corpus
 * title: two stations clear the signal that the other one waits for; who raises it first waits for ever
 * stands-for: deadlock of kind (c): a flag that some schedules never leave raised
 * verdict: unsafe
 * property: deadlock
 * at: north, south
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int clear_north, clear_south;

static void *north(void *arg) {
    clear_south = 0;
    clear_north = 1;
    while (!clear_south) //@north
        ;
    return arg;
}

static void *south(void *arg) {
    clear_north = 0;
    clear_south = 1;
    while (!clear_north) //@south
        ;
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, north, NULL);
    pthread_create(&two, NULL, south, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
