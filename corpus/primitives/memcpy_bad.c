/* unravel-corpus
 * title: a record is copied out while it is being copied in
 * stands-for: memcpy, torn
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: copy < read, read < copy
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct position {
    long x, y, z;
};

static struct position current;

static void *move(void *arg) {
    struct position *target = arg;
    memcpy(&current, target, sizeof current); //@copy
    return NULL;
}

int main(void) {
    pthread_t t;
    struct position target = {5, 5, 5}, seen;
    pthread_create(&t, NULL, move, &target);
    memcpy(&seen, &current, sizeof seen); //@read
    assert(seen.x == seen.z);             //@check
    pthread_join(t, NULL);
    return 0;
}
