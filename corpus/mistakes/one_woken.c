/* unravel-corpus
 * title: the ferry opens its gate without the lock and wakes one of the two cars that may wait
 * stands-for: a mistake C programmers make: a signal where all are meant, and a flag that is set outside the lock
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: signal < wait, wait < wait; wait < signal, wait < signal; wait < wait, wait < wait
 * repair: predicate-loop
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
        pthread_cond_wait(&f->opened, &f->lock); //@wait
    f->aboard++;
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static void ferry_open(struct ferry *this_ferry) {
    this_ferry->open = true; //@open
    pthread_cond_signal(&this_ferry->opened); //@signal
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
