new xy_lock
#include <pthread.h>

int x, y;

int f(int n) {
    n = x @1+ (y
        * 2);
    if (n) {
        y = 3@1;
    @2}
    return n;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int n) {
    pthread_mutex_lock(&xy_lock);
    n = x + (y
        * 2);
    if (n) {
        y = 3;
    }
    pthread_mutex_unlock(&xy_lock);
    return n;
}
