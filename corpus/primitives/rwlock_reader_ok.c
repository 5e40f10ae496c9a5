/* unravel-corpus
 * title: a reader asks again, while a writer waits, for locks that let it
 * stands-for: PTHREAD_RWLOCK_INITIALIZER, pthread_rwlockattr_setkind_np
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
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
    int sum;
    pthread_rwlockattr_t kind;
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NP);
    pthread_rwlock_init(&menu, &kind);
    pthread_rwlockattr_destroy(&kind);
    pthread_create(&t, NULL, owner, NULL);
    pthread_rwlock_rdlock(&menu);
    sum = price;
    pthread_rwlock_rdlock(&menu);
    sum += price;
    pthread_rwlock_unlock(&menu);
    pthread_rwlock_unlock(&menu);
    pthread_join(t, NULL);
    pthread_rwlock_destroy(&menu);
    puts(sum == 0 ? "free" : "not free");
    return 0;
}
