/* unravel-corpus
 * title: each thread reads one table and then wants to write the other
 * stands-for: pthread_rwlock_rdlock and pthread_rwlock_wrlock in a cycle
 * verdict: unsafe
 * property: deadlock
 * at: write_b, write_a
 * pattern: deadlock
 * orders: read_a < write_a, read_b < write_b
 * repair: lock-order
 */
#include <pthread.h>

static pthread_rwlock_t a_lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b_lock = PTHREAD_RWLOCK_INITIALIZER;
static int a = 1, b = 2;

static void *a_to_b(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&a_lock); //@read_a
    pthread_rwlock_wrlock(&b_lock); //@write_b
    b = a;
    pthread_rwlock_unlock(&b_lock);
    pthread_rwlock_unlock(&a_lock);
    return NULL;
}

static void *b_to_a(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&b_lock); //@read_b
    pthread_rwlock_wrlock(&a_lock); //@write_a
    a = b;
    pthread_rwlock_unlock(&a_lock);
    pthread_rwlock_unlock(&b_lock);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, a_to_b, NULL);
    pthread_create(&u, NULL, b_to_a, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
