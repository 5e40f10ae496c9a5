new xy_lock
#include <pthread.h>

int x, y;

#define ADD(a, b) ((a) += (b))
#define TWICE(a) ((a) * 2)

void f(void) {
    @1ADD(x, 2);
    y @1= TWICE(x);
}
==========
#include <pthread.h>

int x, y;

#define ADD(a, b) ((a) += (b))
#define TWICE(a) ((a) * 2)

static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(void) {
    pthread_mutex_lock(&xy_lock);
    ADD(x, 2);
    y = TWICE(x);
    pthread_mutex_unlock(&xy_lock);
}
