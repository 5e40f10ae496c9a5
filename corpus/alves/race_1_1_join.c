/* unravel-corpus
 * title: the speed of a fan is set by its driver and, while it is registered, by its interrupt thread
 * stands-for: Alves et al., Table 3, race-1_1-join
 * verdict: safe
 * differs: the program is correct: lock and join order every access, so there is no line to name
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { SPEED_START = 1, SPEED_OFF = 3, SPEED_LOW = 5, SPEED_HIGH = 6 };

/* A fan in a case. While its thread runs, the speed is used under the lock only. */
struct fan {
    pthread_mutex_t lock;
    pthread_t thread;
    int speed;
};

static struct fan fan;

/* Answers the interrupt of a hot processor. */
static void *fan_interrupt(void *arg) {
    struct fan *f = arg;

    pthread_mutex_lock(&f->lock);
    f->speed = SPEED_HIGH;
    assert(f->speed == SPEED_HIGH);
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

/* Whether the hardware accepts the interrupt thread. */
static bool fan_register(struct fan *f) {
    if (!__VERIFIER_nondet_bool())
        return false;
    pthread_create(&f->thread, NULL, fan_interrupt, f);
    return true;
}

static bool driver_init(struct fan *f) {
    pthread_mutex_init(&f->lock, NULL);
    f->speed = SPEED_START;
    assert(f->speed == SPEED_START);
    if (fan_register(f))
        return true;
    f->speed = SPEED_OFF;
    assert(f->speed == SPEED_OFF);
    pthread_mutex_destroy(&f->lock);
    return false;
}

static void driver_exit(struct fan *f) {
    pthread_join(f->thread, NULL);
    f->speed = SPEED_LOW;
    assert(f->speed == SPEED_LOW);
    pthread_mutex_destroy(&f->lock);
}

int main(void) {
    if (driver_init(&fan))
        driver_exit(&fan);
    return 0;
}
