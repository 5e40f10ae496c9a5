existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    @1x++;
    while (c) {
        pthread_mutex_unlock(&m);
        c--;
        pthread_mutex_lock(&m);
    }
    @1y++;
    pthread_mutex_unlock(&m);
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    x++;
    while (c) {
        c--;
    }
    y++;
    pthread_mutex_unlock(&m);
}
