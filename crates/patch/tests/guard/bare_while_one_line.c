new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    while (n-- > 0) @1x++; /* often */
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    while (n-- > 0) {
        pthread_mutex_lock(&xy_lock);
        x++; /* often */
        pthread_mutex_unlock(&xy_lock);
    }
}
