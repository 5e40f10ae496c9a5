/* unravel-corpus
 * title: only the cleanup unlocks
 * stands-for: a mistake C programmers make: a lock that is released twice, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

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
    printf("%d plugged, %d refused\n", registry.count, registry.refused);
    return 0;
}
