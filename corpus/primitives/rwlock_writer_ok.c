/* unravel-corpus
 * title: readers ask once, and try again, for a lock that prefers writers
 * stands-for: pthread_rwlockattr_setkind_np
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t menu;
static int price = 5;

static void *owner(void *arg) {
    pthread_rwlock_wrlock(&menu);
    price = 6;
    pthread_rwlock_unlock(&menu);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    assert(pthread_rwlockattr_setkind_np(&kind, 9) == EINVAL);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&menu, &kind);
    pthread_rwlockattr_destroy(&kind);
    pthread_create(&t, NULL, owner, NULL);
    pthread_rwlock_rdlock(&menu);
    int rc = pthread_rwlock_tryrdlock(&menu);
    assert(rc == 0 || rc == EBUSY);
    if (rc == 0)
        pthread_rwlock_unlock(&menu);
    pthread_rwlock_unlock(&menu);
    pthread_join(t, NULL);
    pthread_rwlock_destroy(&menu);
    printf("price %d\n", price);
    return 0;
}
