new xy_lock
#include <pthread.h>

int x, y;

void f(int c)
{
    while (c)
    {
        c--;
    }
    if (c)
        @1x++;
    else
        c = 3;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void f(int c)
{
    while (c)
    {
        c--;
    }
    if (c)
    {
        pthread_mutex_lock(&xy_lock);
        x++;
        pthread_mutex_unlock(&xy_lock);
    }
    else
        c = 3;
}
