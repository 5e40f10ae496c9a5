existing &shelf
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static int stock;

static bool available(void) {
    pthread_mutex_lock(&shelf);
    bool some = stock > 0;
    pthread_mutex_unlock(&shelf);
    return some;
}

void buy(void) {
    if (@1available()) {
        pthread_mutex_lock(&shelf);
        stock--@1;
        pthread_mutex_unlock(&shelf);
    }
}

/* Another caller, which nothing is wrong with. */
int count(void) {
    int found = 0;
    while (!found)
        found = available();
    return found;
}
==========
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static int stock;

static bool available(void) {
    bool some = stock > 0;
    return some;
}

void buy(void) {
    pthread_mutex_lock(&shelf);
    if (available()) {
        stock--;
    }
    pthread_mutex_unlock(&shelf);
}

/* Another caller, which nothing is wrong with. */
int count(void) {
    int found = 0;
    while (!found) {
        pthread_mutex_lock(&shelf);
        found = available();
        pthread_mutex_unlock(&shelf);
    }
    return found;
}
