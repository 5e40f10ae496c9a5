existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&m);
    @1x++;
    if (c)
        pthread_mutex_unlock(&m);
    else
        pthread_mutex_unlock(&m);
    @1y++;
}
==========
refused: the mutex is held on some ways only
