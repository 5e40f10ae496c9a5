existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    if (@1x > 2) {
        pthread_mutex_unlock(&m);
        @1y = 1;
        return c;
    }
    pthread_mutex_unlock(&m);
    return 0;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    if (x > 2) {
        y = 1;
        pthread_mutex_unlock(&m);
        return c;
    }
    pthread_mutex_unlock(&m);
    return 0;
}
