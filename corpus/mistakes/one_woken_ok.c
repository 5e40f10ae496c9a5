/* unravel-corpus
 * title: the ferry opens its gate under the lock and wakes all cars that wait
 * stands-for: a mistake C programmers make: a signal where all are meant, and a flag that is set outside the lock, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define CARS 2

struct ferry {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    bool open;
    int aboard;
};

static struct ferry ferry = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

static void *car(void *arg) {
    struct ferry *f = arg;

    pthread_mutex_lock(&f->lock);
    while (!f->open)
        pthread_cond_wait(&f->opened, &f->lock);
    f->aboard++;
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static void ferry_open(struct ferry *this_ferry) {
    pthread_mutex_lock(&this_ferry->lock);
    this_ferry->open = true;
    pthread_cond_broadcast(&this_ferry->opened);
    pthread_mutex_unlock(&this_ferry->lock);
}

int main(void) {
    pthread_t cars[CARS];

    for (int i = 0; i < CARS; i++)
        pthread_create(&cars[i], NULL, car, &ferry);
    ferry_open(&ferry);
    for (int i = 0; i < CARS; i++)
        pthread_join(cars[i], NULL);
    return ferry.aboard == CARS ? 0 : 1;
}
