new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    for (int i = 0; i < n; @1x++)
        n--;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    pthread_mutex_lock(&xy_lock);
    for (int i = 0; i < n; x++)
        n--;
    pthread_mutex_unlock(&xy_lock);
}
