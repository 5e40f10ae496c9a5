existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    x++;
    if (c) {
        pthread_mutex_unlock(&m);
        c++;
        @1y++;
        pthread_mutex_lock(&m);
        @1y--;
    }
    pthread_mutex_unlock(&m);
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    x++;
    if (c) {
        c++;
        y++;
        y--;
    }
    pthread_mutex_unlock(&m);
}
