new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    switch (n) {
    case 0:
        @1x++;
        if (x > 1)
            break;
        @1y++;
        break;
    default:
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
        if (x > 1) {
            pthread_mutex_unlock(&xy_lock);
            break;
        }
        y++;
        pthread_mutex_unlock(&xy_lock);
        break;
    default:
        break;
    }
}
