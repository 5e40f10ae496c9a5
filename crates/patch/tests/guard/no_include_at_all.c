new xy_lock
/* A program. */
int get(void);

// Adds one.
void f(void) {
    @1get();
}
==========
/* A program. */
#include <pthread.h>

int get(void);

static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

// Adds one.
void f(void) {
    pthread_mutex_lock(&xy_lock);
    get();
    pthread_mutex_unlock(&xy_lock);
}
