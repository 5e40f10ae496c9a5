/* unravel-corpus
 * title: reader and writer give up when the lock does not come in time
 * stands-for: pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec deadline = {1, 0};
static int east = 0, north = 0;

static void *move(void *arg) {
    (void)arg;
    int rc = pthread_rwlock_timedwrlock(&map, &deadline);
    if (rc == ETIMEDOUT)
        return NULL;
    east = 3;
    north = 3;
    pthread_rwlock_unlock(&map);
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    int rc = pthread_rwlock_timedrdlock(&map, &deadline);
    if (rc == ETIMEDOUT)
        return NULL;
    assert(east == north);
    pthread_rwlock_unlock(&map);
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, move, NULL);
    pthread_create(&r, NULL, look, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    assert(east == north);
    printf("consistent\n");
    return 0;
}
