existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    if (@1x == 0) {
        pthread_mutex_lock(&m);
        @1x = c;
        pthread_mutex_unlock(&m);
    }
    if (@2y == 0)
        c++;
    return c;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    if (x == 0) {
        x = c;
    }
    int condition = y == 0;
    pthread_mutex_unlock(&m);
    if (condition)
        c++;
    return c;
}
