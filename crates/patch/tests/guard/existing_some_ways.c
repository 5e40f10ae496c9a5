existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    if (c)
        pthread_mutex_lock(&m);
    @1x++;
    if (c)
        pthread_mutex_unlock(&m);
}
==========
refused: the mutex is held on some ways only
