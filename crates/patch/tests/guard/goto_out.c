new xy_lock
#include <pthread.h>

int x, y;

int f(int n) {
    @1x++;
    if (n > 1)
        goto out;
again:
    if (x > 3) {
        x--;
        goto again;
    }
    @1y++;
out:
    return n;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int n) {
    pthread_mutex_lock(&xy_lock);
    x++;
    if (n > 1) {
        pthread_mutex_unlock(&xy_lock);
        goto out;
    }
again:
    if (x > 3) {
        x--;
        goto again;
    }
    y++;
    pthread_mutex_unlock(&xy_lock);
out:
    return n;
}
