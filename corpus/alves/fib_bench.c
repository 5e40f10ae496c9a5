/* unravel-corpus
 * title: two loudspeakers and microphones feed each other five times; only strict alternation reaches 144
 * stands-for: Alves et al., Table 3, fib_bench
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: hall < check, hall < stage, hall < stage, hall < stage, hall < stage, stage < hall, stage < hall, stage < hall, stage < hall, stage < hall; stage < check, stage < hall, stage < hall, stage < hall, stage < hall, hall < stage, hall < stage, hall < stage, hall < stage, hall < stage
 * repair: mutex, signal-wait
 * differs: one amplifier after the other stays below the limit: only strict alternation reaches it, which is an order
 * turns: 5
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define TURNS 5
#define LIMIT 144 /* Fibonacci number 2 * TURNS + 2: the loudest that is possible */

/* How loud it is before the stage and in the hall. */
static int stage = 1, hall = 1;

/* The monitor on the stage plays what comes from the hall. */
static void *stage_amplifier(void *arg) {
    for (int turn = 0; turn < TURNS; turn++)
        stage += hall; //@stage
    return arg;
}

/* The loudspeakers in the hall play what comes from the stage. */
static void *hall_amplifier(void *arg) {
    for (int turn = 0; turn < TURNS; turn++)
        hall += stage; //@hall
    return arg;
}

int main(void) {
    pthread_t monitor, speakers;

    pthread_create(&monitor, NULL, stage_amplifier, NULL);
    pthread_create(&speakers, NULL, hall_amplifier, NULL);
    /* The limiter measures at any moment, while the amplifiers go on. */
    assert(stage < LIMIT && hall < LIMIT); //@check
    return 0;
}
