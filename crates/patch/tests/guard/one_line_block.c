new xy_lock
#include <pthread.h>

int x, y;

void f(int c) {
    if (c) { c++; @1x++; c--; }
}
void g(void) { @2y++; }
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
    if (c) {
        c++;
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
        c--;
    }
}
void g(void) {
    pthread_mutex_lock(&xy_lock);
    y++;
    pthread_mutex_unlock(&xy_lock);
}
