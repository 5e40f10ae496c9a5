existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    int result = -1;
    pthread_mutex_lock(&m);
    if (c)
        goto out;
    @1x++;
    pthread_mutex_unlock(&m);
    c++;
    pthread_mutex_lock(&m);
    @1y++;
    result = 0;
out:
    pthread_mutex_unlock(&m);
    return result;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    int result = -1;
    pthread_mutex_lock(&m);
    if (c)
        goto out;
    x++;
    c++;
    y++;
    result = 0;
out:
    pthread_mutex_unlock(&m);
    return result;
}
