/* unravel-corpus
 * title: the reader goes on when the lock is busy and sees half a move
 * stands-for: pthread_rwlock_tryrdlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: east < check, check < north
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static int east = 0, north = 0;

static void *move(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&map);
    east = 3;  //@east
    north = 3; //@north
    pthread_rwlock_unlock(&map);
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    bool held = pthread_rwlock_tryrdlock(&map) == 0;
    assert(east == north); //@check
    if (held)
        pthread_rwlock_unlock(&map);
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, move, NULL);
    pthread_create(&r, NULL, look, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
