new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i < j) @1x++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i < j) {
                pthread_mutex_lock(&xy_lock);
                x++;
                pthread_mutex_unlock(&xy_lock);
            }
}
