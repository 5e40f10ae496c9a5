/* unravel-corpus
 * title: an amplifier plays its five turns in one piece, so it never gets as loud as 144
 * stands-for: Alves et al., Table 3, fib_bench, repaired
 * verdict: safe
 * output: deterministic
 * turns: 5
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define TURNS 5
#define LIMIT 144 /* Fibonacci number 2 * TURNS + 2: the loudest that is possible */

static pthread_mutex_t mixer = PTHREAD_MUTEX_INITIALIZER;

/* How loud it is before the stage and in the hall. */
static int stage = 1, hall = 1;

/* The monitor on the stage plays what comes from the hall. */
static void *stage_amplifier(void *arg) {
    pthread_mutex_lock(&mixer);
    for (int turn = 0; turn < TURNS; turn++)
        stage += hall; //@stage
    pthread_mutex_unlock(&mixer);
    return arg;
}

/* The loudspeakers in the hall play what comes from the stage. */
static void *hall_amplifier(void *arg) {
    pthread_mutex_lock(&mixer);
    for (int turn = 0; turn < TURNS; turn++)
        hall += stage; //@hall
    pthread_mutex_unlock(&mixer);
    return arg;
}

int main(void) {
    pthread_t monitor, speakers;

    pthread_create(&monitor, NULL, stage_amplifier, NULL);
    pthread_create(&speakers, NULL, hall_amplifier, NULL);
    /* The limiter measures at any moment, while the amplifiers go on. */
    pthread_mutex_lock(&mixer);
    assert(stage < LIMIT && hall < LIMIT); //@check
    pthread_mutex_unlock(&mixer);
    pthread_join(monitor, NULL);
    pthread_join(speakers, NULL);
    printf("%d in all\n", stage + hall);
    return 0;
}
