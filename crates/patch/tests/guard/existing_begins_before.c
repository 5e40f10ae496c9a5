existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    c++;
    @1x++;
    c--;
    pthread_mutex_lock(&m);
    @1y++;
    c++;
    pthread_mutex_unlock(&m);
    c++;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    c++;
    pthread_mutex_lock(&m);
    x++;
    c--;
    y++;
    c++;
    pthread_mutex_unlock(&m);
    c++;
}
