/* unravel-corpus
 * title: a checker sees the new mode of a heat pump together with the old direction
 * stands-for: ConcBugAssist, Table 1, reorder
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: see_direction < set_direction, see_direction < set_direction
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define SETTERS 2
#define CHECKERS 2

enum mode {
    MODE_OFF = 0,
    MODE_COOLING = 1,
};

/* Which way the pump moves heat. */
enum direction {
    DIRECTION_NONE = 0,
    DIRECTION_OUTWARD = -1,
};

/*
 * The settings of a heat pump. Only two combinations are allowed: off and no
 * direction, or cooling and outward.
 */
struct heat_pump {
    int mode;
    int direction;
};

static struct heat_pump pump = {MODE_OFF, DIRECTION_NONE};

static void start_cooling(struct heat_pump *p) {
    p->mode = MODE_COOLING;           //@set_mode
    p->direction = DIRECTION_OUTWARD; //@set_direction
}

static bool settings_allowed(const struct heat_pump *p) {
    if (p->mode == MODE_OFF && p->direction == DIRECTION_NONE) //@see_mode
        return true;
    return p->mode == MODE_COOLING && p->direction == DIRECTION_OUTWARD; //@see_direction
}

/* Somebody presses the button; two panels have one. */
static void *panel(void *arg) {
    start_cooling(arg);
    return NULL;
}

/* A watchdog that would switch the pump off if it found it set wrongly. */
static void *watchdog(void *arg) {
    bool allowed = settings_allowed(arg);

    assert(allowed); //@check
    return NULL;
}

static void start(pthread_t *threads, int n, void *(*body)(void *)) {
    for (int i = 0; i < n; i++)
        pthread_create(&threads[i], NULL, body, &pump);
}

static void finish(const pthread_t *threads, int n) {
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
    pthread_t setters[SETTERS];
    pthread_t checkers[CHECKERS];

    start(setters, SETTERS, panel);
    start(checkers, CHECKERS, watchdog);

    finish(setters, SETTERS);
    finish(checkers, CHECKERS);
    return 0;
}
