new xy_lock
#include <pthread.h>
#include <stdlib.h>

int x, y;

void *f(void *arg) {
    @1x++;
    if (!arg)
        pthread_exit(NULL);
    if (x > 2)
        pthread_exit(&y + x);
    if (x > 3)
        exit(1);
    @1y++;
    pthread_exit(arg);
}
==========
#include <pthread.h>
#include <stdlib.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg) {
    pthread_mutex_lock(&xy_lock);
    x++;
    if (!arg) {
        pthread_mutex_unlock(&xy_lock);
        pthread_exit(NULL);
    }
    if (x > 2) {
        void *result = &y + x;
        pthread_mutex_unlock(&xy_lock);
        pthread_exit(result);
    }
    if (x > 3)
        exit(1);
    y++;
    pthread_mutex_unlock(&xy_lock);
    pthread_exit(arg);
}
