existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    c++;
    @1x++;
    pthread_mutex_unlock(&m);
    c++;
    @1y++;
    c++;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    c++;
    x++;
    c++;
    y++;
    pthread_mutex_unlock(&m);
    c++;
}
