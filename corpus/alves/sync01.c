/* unravel-corpus
 * title: the barista waits for a free place on the counter, and no waiter ever takes a cup away
 * stands-for: Alves et al., Table 3, sync01_bad
 * verdict: unsafe
 * property: deadlock
 * at: wait_place
 * pattern: sequential
 * repair: none
 * differs: a statement is missing, so no line that is there computes a wrong value; what is named is the count that keeps the barista waiting
 */
#include <pthread.h>
#include <stddef.h>

/* A counter with room for one cup. */
struct counter {
    pthread_mutex_t lock;
    pthread_cond_t placed;
    pthread_cond_t taken;
    int cups;
};

static struct counter counter;

/* Opens the bar with one cup on the counter. */
static void counter_open(struct counter *c) {
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->placed, NULL);
    pthread_cond_init(&c->taken, NULL);
    c->cups = 1;
}

static void *barista(void *arg) {
    struct counter *c = arg;

    pthread_mutex_lock(&c->lock);
    while (c->cups > 0)
        pthread_cond_wait(&c->taken, &c->lock); //@wait_place
    c->cups++;
    pthread_mutex_unlock(&c->lock);
    pthread_cond_signal(&c->placed);
    return NULL;
}

static void *waiter(void *arg) {
    struct counter *c = arg;

    pthread_mutex_lock(&c->lock);
    while (c->cups == 0)
        pthread_cond_wait(&c->placed, &c->lock);
    /* Here a cup should go. */
    pthread_mutex_unlock(&c->lock);
    pthread_cond_signal(&c->taken);
    return NULL;
}

int main(void) {
    pthread_t makes, serves;

    counter_open(&counter);
    pthread_create(&makes, NULL, barista, &counter);
    pthread_create(&serves, NULL, waiter, &counter);
    pthread_join(makes, NULL);
    pthread_join(serves, NULL);
    return 0;
}
