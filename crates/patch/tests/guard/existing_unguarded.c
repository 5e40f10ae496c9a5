existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}
void g(int c) {
    c++;
    @1x++;
    @1y++;
    c++;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}
void g(int c) {
    c++;
    pthread_mutex_lock(&m);
    x++;
    y++;
    pthread_mutex_unlock(&m);
    c++;
}
