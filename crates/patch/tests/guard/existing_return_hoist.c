existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return @1y;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(void) {
    pthread_mutex_lock(&m);
    x++;
    int result = y;
    pthread_mutex_unlock(&m);
    return result;
}
