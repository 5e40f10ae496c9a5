existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (c > 3)
            break;
        @1x++;
        pthread_mutex_unlock(&m);
        c++;
        @1y++;
    }
    c = x;
    pthread_mutex_unlock(&m);
    return c;
}

int g(int c) {
    c++;
    @2x--;
    pthread_mutex_lock(&m);
    if (c)
        goto out;
    @2y++;
    pthread_mutex_unlock(&m);
    return 0;
out:
    pthread_mutex_unlock(&m);
    return -1;
}
==========
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&m);
    for (;;) {
        if (c > 3)
            break;
        x++;
        c++;
        y++;
    }
    c = x;
    pthread_mutex_unlock(&m);
    return c;
}

int g(int c) {
    c++;
    pthread_mutex_lock(&m);
    x--;
    if (c)
        goto out;
    y++;
    pthread_mutex_unlock(&m);
    return 0;
out:
    pthread_mutex_unlock(&m);
    return -1;
}
