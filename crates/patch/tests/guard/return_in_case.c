new xy_lock
#include <pthread.h>

int x, y;

int f(int c) {
    @1x++;
    switch (c) {
    case 0:
        return y;
    case 1: return y + 1;
    default:
        c++;
        return x;
    }
    @1y++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&xy_lock);
    x++;
    switch (c) {
    case 0: {
        int result = y;
        pthread_mutex_unlock(&xy_lock);
        return result;
    }
    case 1: {
        int result2 = y + 1;
        pthread_mutex_unlock(&xy_lock);
        return result2;
    }
    default:
        c++;
        int result3 = x;
        pthread_mutex_unlock(&xy_lock);
        return result3;
    }
    y++;
    pthread_mutex_unlock(&xy_lock);
}
