existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    @1y++;
    c++;
    @2y--;
    pthread_mutex_lock(&m);
    x--;
    pthread_mutex_unlock(&m);
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    x++;
    y++;
    pthread_mutex_unlock(&m);
    c++;
    pthread_mutex_lock(&m);
    y--;
    x--;
    pthread_mutex_unlock(&m);
}
