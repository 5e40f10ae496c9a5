/* Two clerks sell the seats of one show. The test wants no seat sold twice. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1;

static int seats_left(void) {
    pthread_mutex_lock(&lock);
    int left = seats;
    pthread_mutex_unlock(&lock);
    return left;
}

static void sell_one(void) {
    pthread_mutex_lock(&lock);
    seats = seats - 1;
    pthread_mutex_unlock(&lock);
}

static void *clerk(void *arg) {
    if (seats_left() > 0) {
        sell_one();
    }
    return arg;
}

int main(void) {
    pthread_t anna, ben;
    pthread_create(&anna, NULL, clerk, NULL);
    pthread_create(&ben, NULL, clerk, NULL);
    pthread_join(anna, NULL);
    pthread_join(ben, NULL);
    assert(seats >= 0);
    puts("ok");
    return 0;
}
