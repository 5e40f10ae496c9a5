/* unravel-corpus
 * title: reader and writer each do without when the lock is busy
 * stands-for: pthread_rwlock_tryrdlock, pthread_rwlock_trywrlock, pthread_rwlock_init, pthread_rwlock_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t map;
static int east = 0, north = 0;

static void *move(void *arg) {
    (void)arg;
    if (pthread_rwlock_trywrlock(&map) == 0) {
        east = 3;
        north = 3;
        pthread_rwlock_unlock(&map);
    }
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    if (pthread_rwlock_tryrdlock(&map) == 0) {
        assert(east == north);
        pthread_rwlock_unlock(&map);
    }
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_rwlock_init(&map, NULL);
    pthread_create(&w, NULL, move, NULL);
    pthread_create(&r, NULL, look, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    pthread_rwlock_destroy(&map);
    assert(east == north);
    printf("consistent\n");
    return 0;
}
