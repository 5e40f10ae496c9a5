existing &shelf
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static int stock;

static void take(void) {
    pthread_mutex_lock(&shelf);
    stock--;
    pthread_mutex_unlock(&shelf);
}

void (*action)(void) = take;

void buy(void) {
    if (@1stock > 0)
        @1take();
}
==========
refused: a function that would no longer lock is called through a pointer
