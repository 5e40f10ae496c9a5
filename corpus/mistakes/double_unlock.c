/* unravel-corpus
 * title: the cleanup unlocks again what the error path has unlocked; by then another thread may hold the lock
 * stands-for: a mistake C programmers make: a lock that is released twice
 * verdict: unsafe
 * property: misuse
 * at: cleanup
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>
#include <stddef.h>

#define SLOTS 1

/* Devices that are plugged in. */
struct registry {
    pthread_mutex_t lock;
    int devices[SLOTS];
    int count;
    int refused;
};

static struct registry registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void registry_refuse(struct registry *r) {
    r->refused++;
    pthread_mutex_unlock(&r->lock); //@unlock
}

static void *plug(void *arg) {
    const int *device = arg;

    pthread_mutex_lock(&registry.lock); //@lock
    if (registry.count == SLOTS) {      //@test
        registry_refuse(&registry);
        goto out;
    }
    registry.devices[registry.count] = *device;
    registry.count++; //@plug
out:
    pthread_mutex_unlock(&registry.lock); //@cleanup
    return NULL;
}

int main(void) {
    pthread_t front, back;
    int mouse = 1, keyboard = 2;

    pthread_create(&front, NULL, plug, &mouse);
    pthread_create(&back, NULL, plug, &keyboard);
    pthread_join(front, NULL);
    pthread_join(back, NULL);
    return 0;
}
