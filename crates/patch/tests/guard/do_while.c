new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    do @1x++; while (n-- > 0);
    do {
        @2y++;
    } while (n-- > 0);
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    do {
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
    } while (n-- > 0);
    do {
        pthread_mutex_lock(&xy_lock);
        y++;
        pthread_mutex_unlock(&xy_lock);
    } while (n-- > 0);
}
