new used_lock
#include <pthread.h>
int used, lines[4];

void add(int line) {
    if (@1used < 4) {
        @2lines[used] = line;
        @3used++;
    }
}
==========
#include <pthread.h>
int used, lines[4];
static pthread_mutex_t used_lock = PTHREAD_MUTEX_INITIALIZER;

void add(int line) {
    pthread_mutex_lock(&used_lock);
    if (used < 4) {
        lines[used] = line;
        used++;
    }
    pthread_mutex_unlock(&used_lock);
}
