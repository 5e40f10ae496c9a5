new xy_lock
#include <pthread.h>

int x, y;

void f(int c) {
    c++;
    if (c) {
        c++;
        @1x++;
    }
    for (;;) {
        @1y++;
        break;
    }
    c++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    c++;
    pthread_mutex_lock(&xy_lock);
    if (c) {
        c++;
        x++;
    }
    for (;;) {
        y++;
        break;
    }
    pthread_mutex_unlock(&xy_lock);
    c++;
}
