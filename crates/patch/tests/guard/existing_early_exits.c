existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    if (c > 3) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    if (@1x > 2) {
        pthread_mutex_unlock(&m);
        c++;
        return c;
    }
    pthread_mutex_unlock(&m);
    if (c)
        return 1;
    @1x = c;
    return 0;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    if (c > 3) {
        pthread_mutex_unlock(&m);
        return -1;
    }
    if (x > 2) {
        pthread_mutex_unlock(&m);
        c++;
        return c;
    }
    if (c) {
        pthread_mutex_unlock(&m);
        return 1;
    }
    x = c;
    pthread_mutex_unlock(&m);
    return 0;
}
