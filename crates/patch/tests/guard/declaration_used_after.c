new xy_lock
#include <pthread.h>

int x, y;

int f(void) {
    int @1n = x, m = 2;
    n @1+= y;
    return n + m;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(void) {
    pthread_mutex_lock(&xy_lock);
    int n = x, m = 2;
    n += y;
    pthread_mutex_unlock(&xy_lock);
    return n + m;
}
