new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    switch (n) {
    case 0:
        @1x++;
        break;
    case 1: @2y++; break;
    case 2:
    default:
        @3x = 2;
        n++;
        break;
    }
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    switch (n) {
    case 0:
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
        break;
    case 1:
        pthread_mutex_lock(&xy_lock);
        y++;
        pthread_mutex_unlock(&xy_lock);
        break;
    case 2:
    default:
        pthread_mutex_lock(&xy_lock);
        x = 2;
        pthread_mutex_unlock(&xy_lock);
        n++;
        break;
    }
}
