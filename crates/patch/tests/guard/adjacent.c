new xy_lock
#include <pthread.h>

int x, y;

void f(int c) {
    @1x++;

    // and
    @2y++;
    c++;
    @3x--;
    if (c) {
        @4y--;
        @5x--;
    }
    @3c = y;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    pthread_mutex_lock(&xy_lock);
    x++;

    // and
    y++;
    pthread_mutex_unlock(&xy_lock);
    c++;
    pthread_mutex_lock(&xy_lock);
    x--;
    if (c) {
        y--;
        x--;
    }
    c = y;
    pthread_mutex_unlock(&xy_lock);
}
