new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    if (@1x == 0 && n)
        n++;
    if (@2y)
        n--;
    n = 2;
    @3x = n;
    if (@3y & 2) {
        n = 3;
    } else {
        n = 4;
    }
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    pthread_mutex_lock(&xy_lock);
    int condition = x == 0 && n;
    pthread_mutex_unlock(&xy_lock);
    if (condition)
        n++;
    pthread_mutex_lock(&xy_lock);
    int condition2 = y != 0;
    pthread_mutex_unlock(&xy_lock);
    if (condition2)
        n--;
    n = 2;
    pthread_mutex_lock(&xy_lock);
    x = n;
    int condition3 = (y & 2) != 0;
    pthread_mutex_unlock(&xy_lock);
    if (condition3) {
        n = 3;
    } else {
        n = 4;
    }
}
