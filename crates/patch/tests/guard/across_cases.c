new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    switch (n) {
    case 0:
        @1x++;
        /* fallthrough */
    case 1:
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
    pthread_mutex_lock(&xy_lock);
    switch (n) {
    case 0:
        x++;
        /* fallthrough */
    case 1:
        y++;
        break;
    default:
        break;
    }
    pthread_mutex_unlock(&xy_lock);
}
