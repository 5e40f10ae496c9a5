new xy_lock
#include <pthread.h>

int x, y;

int f(int n) {
    if (n > 3) {
        n = 1;
    } else if (@1x > 2) {
        n = 2;
        n++;
    }
    return n;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int n) {
    if (n > 3) {
        n = 1;
    } else {
        pthread_mutex_lock(&xy_lock);
        int condition = x > 2;
        pthread_mutex_unlock(&xy_lock);
        if (condition) {
            n = 2;
            n++;
        }
    }
    return n;
}
