existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&m); @1x++; pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m); @1y++; pthread_mutex_unlock(&m);
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&m); x++;
    y++; pthread_mutex_unlock(&m);
}
