new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
again:
    @1x++;
    if (@1x < n)
        goto again;
    if (n)
        goto done;
done: @2y++;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
again:
    pthread_mutex_lock(&xy_lock);
    x++;
    int condition = x < n;
    pthread_mutex_unlock(&xy_lock);
    if (condition)
        goto again;
    if (n)
        goto done;
done:
    pthread_mutex_lock(&xy_lock);
    y++;
    pthread_mutex_unlock(&xy_lock);
}
