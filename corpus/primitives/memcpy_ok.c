/* unravel-corpus
 * title: a record is copied as a whole under a mutex
 * stands-for: memcpy, memset, memcmp, memmove
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct position {
    long x, y, z;
};

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct position current;

static void *move(void *arg) {
    struct position *target = arg;
    pthread_mutex_lock(&m);
    memcpy(&current, target, sizeof current);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct position target = {5, 5, 5}, seen;
    memset(&current, 0, sizeof current);
    pthread_create(&t, NULL, move, &target);
    pthread_mutex_lock(&m);
    memcpy(&seen, &current, sizeof seen);
    pthread_mutex_unlock(&m);
    assert(seen.x == seen.y && seen.y == seen.z);
    pthread_join(t, NULL);
    assert(memcmp(&current, &target, sizeof target) == 0);
    memmove(&current.y, &current.x, 2 * sizeof current.x);
    printf("%ld %ld %ld\n", current.x, current.y, current.z);
    return 0;
}
