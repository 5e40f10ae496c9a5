new xy_lock
#include <pthread.h>

int x, y;

void f(int c) {
    if (c) @1x++;
    c = 1;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    if (c) {
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
    }
    c = 1;
}
