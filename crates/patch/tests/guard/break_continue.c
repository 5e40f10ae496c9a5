new xy_lock
#include <pthread.h>

int x, y;

void f(int n) {
    while (n > 0) {
        n--;
        @1x++;
        if (x > 3)
            break;
        if (x > 2)
            continue;
        for (int i = 0; i < 3; i++) {
            if (i == y)
                break;
            if (i == x)
                continue;
        }
        @1y++;
    }
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int n) {
    while (n > 0) {
        n--;
        pthread_mutex_lock(&xy_lock);
        x++;
        if (x > 3) {
            pthread_mutex_unlock(&xy_lock);
            break;
        }
        if (x > 2) {
            pthread_mutex_unlock(&xy_lock);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            if (i == y)
                break;
            if (i == x)
                continue;
        }
        y++;
        pthread_mutex_unlock(&xy_lock);
    }
}
