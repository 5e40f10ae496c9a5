/* unravel-corpus
 * title: the lamp is off again before it is seen, and who looks for it polls on alone
 * stands-for: a corner of what a program means: a run ends in a race, however long it could go on
 * verdict: unsafe
 * property: race
 * at: off, on, speed, looks, reads
 * flags: --races
 * pattern: data race
 */
#include <pthread.h>

static int lamp, speed;

static void *flash(void *arg) {
    lamp = 1;  //@on
    lamp = 0;  //@off
    speed = 9; //@speed
    return arg;
}

int main(void) {
    pthread_t flasher;
    int seen, measured;
    pthread_create(&flasher, NULL, flash, NULL);
    do {
        measured = speed; //@reads
        seen = lamp;      //@looks
    } while (!seen);
    pthread_join(flasher, NULL);
    return measured != 9;
}
