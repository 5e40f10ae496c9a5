/* unravel-corpus
 * title: readers see both coordinates of one move
 * stands-for: pthread_rwlock_rdlock, pthread_rwlock_wrlock, static initializer
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static int east = 0, north = 0;

static void *move(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&map);
    east = 3;
    north = 3;
    pthread_rwlock_unlock(&map);
    return NULL;
}

static void *look(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&map);
    assert(east == north);
    pthread_rwlock_unlock(&map);
    return NULL;
}

int main(void) {
    pthread_t w, r1, r2;
    pthread_create(&w, NULL, move, NULL);
    pthread_create(&r1, NULL, look, NULL);
    pthread_create(&r2, NULL, look, NULL);
    pthread_join(w, NULL);
    pthread_join(r1, NULL);
    pthread_join(r2, NULL);
    printf("at %d,%d\n", east, north);
    return 0;
}
