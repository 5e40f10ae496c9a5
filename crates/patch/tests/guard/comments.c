new xy_lock
#include <pthread.h>

int x, y;

// The worker.
void f(void)
{
    // first the one
    @1x++; // because
    /* then
       the other */
    @1y++; /* because
              of x */
    // done
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

// The worker.
void f(void)
{
    // first the one
    pthread_mutex_lock(&xy_lock);
    x++; // because
    /* then
       the other */
    y++; /* because
              of x */
    pthread_mutex_unlock(&xy_lock);
    // done
}
