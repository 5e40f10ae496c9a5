new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    while (@1x < 3) {
        n++;
    }
    while (!@2y);
    while (@3x) n--;
    for (int i = 0; @4i < x; i++)
        n += i;
    do {
        n++;
    } while (@5y);
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    while (1) {
        pthread_mutex_lock(&xy_lock);
        int condition = x < 3;
        pthread_mutex_unlock(&xy_lock);
        if (!condition)
            break;
        n++;
    }
    while (1) {
        pthread_mutex_lock(&xy_lock);
        int condition2 = !y;
        pthread_mutex_unlock(&xy_lock);
        if (!condition2)
            break;
    }
    while (1) {
        pthread_mutex_lock(&xy_lock);
        int condition3 = x != 0;
        pthread_mutex_unlock(&xy_lock);
        if (!condition3)
            break;
        n--;
    }
    for (int i = 0; ; i++) {
        pthread_mutex_lock(&xy_lock);
        int condition4 = i < x;
        pthread_mutex_unlock(&xy_lock);
        if (!condition4)
            break;
        n += i;
    }
    int condition5;
    do {
        n++;
        pthread_mutex_lock(&xy_lock);
        condition5 = y != 0;
        pthread_mutex_unlock(&xy_lock);
    } while (condition5);
}
