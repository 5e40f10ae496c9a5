new xy_lock
#include <pthread.h>

int x, y;

/* Writes zeros. */
void *writer0(void *arg) {
    (void)arg;
    @1x = 0;
    y @1= 0;
    return 0;
}

void *writer1(void *arg) {
    (void)arg;
    x @2= 1;
    y = @21;
    return 0;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

/* Writes zeros. */
void *writer0(void *arg) {
    (void)arg;
    pthread_mutex_lock(&xy_lock);
    x = 0;
    y = 0;
    pthread_mutex_unlock(&xy_lock);
    return 0;
}

void *writer1(void *arg) {
    (void)arg;
    pthread_mutex_lock(&xy_lock);
    x = 1;
    y = 1;
    pthread_mutex_unlock(&xy_lock);
    return 0;
}
