/* unravel-corpus
 * title: two threads write under the lock for reading
 * stands-for: pthread_rwlock_rdlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: visit < visit, visit < visit
 * repair: widen, atomic, mutex
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t map = PTHREAD_RWLOCK_INITIALIZER;
static int visits = 0;

static void *look(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&map);
    visits++; //@visit
    pthread_rwlock_unlock(&map);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visits == 2); //@check
    return 0;
}
