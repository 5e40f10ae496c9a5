new xy_lock
#include <pthread.h>

int x, y;

void f(void) {
    while (@1x < 3) {
        @1y++;
    }
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&xy_lock);
    while (x < 3) {
        y++;
    }
    pthread_mutex_unlock(&xy_lock);
}
