new xy_lock
#include <pthread.h>

int x, y;

void f(int a) {
    a = 1; @1x = a; @1y = a; a = 2;
    a = 3; @2x = a; /* last */
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int a) {
    a = 1;
    pthread_mutex_lock(&xy_lock);
    x = a; y = a;
    pthread_mutex_unlock(&xy_lock);
    a = 2;
    a = 3;
    pthread_mutex_lock(&xy_lock);
    x = a; /* last */
    pthread_mutex_unlock(&xy_lock);
}
