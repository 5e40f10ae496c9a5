existing &m
#include <pthread.h>

int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void take(void) {
    @1x++;
    pthread_mutex_lock(&m);
    @1y++;
}
==========
refused: the mutex stays held behind the region
