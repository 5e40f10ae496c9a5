/* unravel-corpus
 * title: a reader asks again while a writer waits for a lock that prefers writers
 * stands-for: PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
 * verdict: unsafe
 * property: deadlock
 * at: again, write, join
 */
#define _GNU_SOURCE
#include <pthread.h>

static pthread_rwlock_t menu = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static int price = 5;

static void *owner(void *arg) {
    pthread_rwlock_wrlock(&menu); //@write
    price = 6;
    pthread_rwlock_unlock(&menu);
    return arg;
}

int main(void) {
    pthread_t t;
    int sum;
    pthread_create(&t, NULL, owner, NULL);
    pthread_rwlock_rdlock(&menu);
    sum = price;
    pthread_rwlock_rdlock(&menu); //@again
    sum += price;
    pthread_rwlock_unlock(&menu);
    pthread_rwlock_unlock(&menu);
    pthread_join(t, NULL); //@join
    return sum == 0;
}
