new xy_lock
#include <pthread.h>

int x, y;

long f(void) {
    return @1x + y;
}

static const char *const names[2] = {"a", "b"};

const char *name(void) {
    @2x++;
    return @2names[x];
}

int local(int n) {
    @3x = n;
    int m = x;
    if (m > 1)
        return m;
    @3y = n;
    return n;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

long f(void) {
    pthread_mutex_lock(&xy_lock);
    long result = x + y;
    pthread_mutex_unlock(&xy_lock);
    return result;
}

static const char *const names[2] = {"a", "b"};

const char *name(void) {
    pthread_mutex_lock(&xy_lock);
    x++;
    const char *result2 = names[x];
    pthread_mutex_unlock(&xy_lock);
    return result2;
}

int local(int n) {
    pthread_mutex_lock(&xy_lock);
    x = n;
    int m = x;
    if (m > 1) {
        pthread_mutex_unlock(&xy_lock);
        return m;
    }
    y = n;
    pthread_mutex_unlock(&xy_lock);
    return n;
}
