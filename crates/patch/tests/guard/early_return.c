new xy_lock
#include <pthread.h>

int x, y;

int f(int c) {
    @1x++;
    if (c) {
        if (c > 2)
            return 1;
        else if (c > 1) {
            return -1;
        }
    }
    @1y++;
    return 0;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int c) {
    pthread_mutex_lock(&xy_lock);
    x++;
    if (c) {
        if (c > 2) {
            pthread_mutex_unlock(&xy_lock);
            return 1;
        } else if (c > 1) {
            pthread_mutex_unlock(&xy_lock);
            return -1;
        }
    }
    y++;
    pthread_mutex_unlock(&xy_lock);
    return 0;
}
