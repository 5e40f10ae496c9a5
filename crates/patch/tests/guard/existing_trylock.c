existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    c++;
    @1x++;
    if (pthread_mutex_trylock(&m) == 0) {
        y++;
        pthread_mutex_unlock(&m);
    }
    @1y++;
}
==========
refused: the mutex is held on some ways only
