new xy_lock
#include <pthread.h>

int x, y;

void f(void) {
    for (int i = 0; i < 3; i++)
        @1x++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
    }
}
