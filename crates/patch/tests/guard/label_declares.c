new xy_lock
#include <pthread.h>

int x, y;

int f(int n) {
    @1x++;
    if (n)
        goto out;
    y++;
out:
    return @1x;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

int f(int n) {
    pthread_mutex_lock(&xy_lock);
    x++;
    if (n)
        goto out;
    y++;
out:;
    int result = x;
    pthread_mutex_unlock(&xy_lock);
    return result;
}
