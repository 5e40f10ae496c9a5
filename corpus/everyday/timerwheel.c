/* unravel-corpus
 * title: a timer is cancelled without the lock of the wheel, and fires though it was cancelled
 * stands-for: an everyday program: timers in a wheel, some of them cancelled
 * verdict: unsafe
 * property: memory
 * at: fire
 * fault: cancel, clear
 * pattern: use after free
 * repair: mutex
 * patch: timerwheel.c
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 2

struct timer {
    char name[12];
    int *fired;
};

static struct {
    pthread_mutex_t lock;
    struct timer *slots[SLOTS];
    int now;
} wheel = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct timer *timer_add(int slot, const char *name, int *fired) {
    struct timer *t = malloc(sizeof *t);

    if (t == NULL)
        return NULL;
    strncpy(t->name, name, sizeof t->name - 1);
    t->name[sizeof t->name - 1] = '\0';
    t->fired = fired;
    pthread_mutex_lock(&wheel.lock);
    wheel.slots[slot] = t;
    pthread_mutex_unlock(&wheel.lock);
    return t;
}

static void timer_cancel(int slot) {
    struct timer *t = wheel.slots[slot]; //@cancel

    wheel.slots[slot] = NULL; //@clear
    free(t);
}

static void tick(void) {
    pthread_mutex_lock(&wheel.lock);
    struct timer *t = wheel.slots[wheel.now];
    if (t != NULL)
        ++*t->fired; //@fire
    wheel.now = (wheel.now + 1) % SLOTS;
    pthread_mutex_unlock(&wheel.lock);
}

static void *clock_thread(void *arg) {
    (void)arg;
    for (int i = 0; i < SLOTS; i++) {
        usleep(100);
        tick();
    }
    return NULL;
}

int main(void) {
    pthread_t clock;
    int pings = 0, alarms = 0;

    if (timer_add(0, "ping", &pings) == NULL || timer_add(1, "alarm", &alarms) == NULL)
        return 1;
    if (pthread_create(&clock, NULL, clock_thread, NULL) != 0) {
        perror("pthread_create");
        return 1;
    }
    timer_cancel(1);
    pthread_join(clock, NULL);
    printf("%d ping, alarm %s\n", pings, alarms > 0 ? "fired" : "cancelled");
    timer_cancel(0);
    return 0;
}
