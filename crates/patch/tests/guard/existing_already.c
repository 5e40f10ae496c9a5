existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    if (c)
        @1x++;
    @1y++;
    pthread_mutex_unlock(&m);
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    if (c)
        x++;
    y++;
    pthread_mutex_unlock(&m);
}
