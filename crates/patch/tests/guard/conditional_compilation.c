new xy_lock
#include <pthread.h>

int x, y;

void f(int c) {
#ifdef TWO
    @1x++;
    c++;
#else
    @2x--;
#endif
    c++;
    @3y++;
#ifdef TWO
    y += 2;
#else
    @3y += 3;
#endif
    c++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c) {
#ifdef TWO
    pthread_mutex_lock(&xy_lock);
    x++;
    pthread_mutex_unlock(&xy_lock);
    c++;
#else
    pthread_mutex_lock(&xy_lock);
    x--;
    pthread_mutex_unlock(&xy_lock);
#endif
    c++;
    pthread_mutex_lock(&xy_lock);
    y++;
#ifdef TWO
    y += 2;
#else
    y += 3;
#endif
    pthread_mutex_unlock(&xy_lock);
    c++;
}
