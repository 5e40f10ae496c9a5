new xy_lock
#include <pthread.h>

int x, y;

void *f(void *arg) {
    @1x++;
    for (;;) {
        @1y++;
        if (y > 3)
            return arg;
    }
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&xy_lock);
    x++;
    for (;;) {
        y++;
        if (y > 3) {
            pthread_mutex_unlock(&xy_lock);
            return arg;
        }
    }
}
