existing &m
#define _GNU_SOURCE
#include <pthread.h>

int x, y;
pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;

int f(int c) {
    pthread_rwlock_rdlock(&m);
    @1c = x;
    pthread_rwlock_unlock(&m);
    pthread_rwlock_wrlock(&m);
    @1x = c;
    pthread_rwlock_unlock(&m);
    return c;
}
==========
#define _GNU_SOURCE
#include <pthread.h>

int x, y;
pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER;

int f(int c) {
    pthread_rwlock_wrlock(&m);
    c = x;
    x = c;
    pthread_rwlock_unlock(&m);
    return c;
}
