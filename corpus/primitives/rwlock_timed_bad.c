/* unravel-corpus
 * title: a writer that timed out reports success
 * stands-for: pthread_rwlock_timedwrlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: hold < try, try < release; try < release, release < leave
 * repair: join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec deadline = {1, 0};
static int east = 0;

static void *move(void *arg) {
    int *moved = arg;
    if (pthread_rwlock_timedwrlock(&map, &deadline) == 0) { //@try
        east = 3;
        pthread_rwlock_unlock(&map); //@leave
    }
    *moved = 1;
    return NULL;
}

int main(void) {
    pthread_t w;
    int moved = 0;
    pthread_create(&w, NULL, move, &moved);
    pthread_rwlock_rdlock(&map); //@hold
    int before = east;
    pthread_rwlock_unlock(&map); //@release
    pthread_join(w, NULL);
    assert(before == 0 || before == 3);
    assert(!moved || east == 3); //@check
    return 0;
}
