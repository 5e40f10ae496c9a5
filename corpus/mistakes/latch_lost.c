/* unravel-corpus
 * title: two loaders count down without a lock; a step is lost and the last one never opens the latch
 * stands-for: a mistake C programmers make: a countdown that is not atomic
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: atomicity violation
 * orders: read < down, down < down; read < down, read < down
 * repair: mutex
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#define LOADERS 2

/* Opens when all loaders are through. */
struct latch {
    int remaining;
    sem_t open;
};

static struct latch loaded = {.remaining = LOADERS};

static void latch_down(struct latch *l) {
    int left = l->remaining - 1; //@read
    l->remaining = left;         //@down

    if (left == 0)
        sem_post(&l->open);
}

static void *load(void *arg) {
    latch_down(arg);
    return NULL;
}

int main(void) {
    pthread_t loaders[LOADERS];

    sem_init(&loaded.open, 0, 0);
    for (int i = 0; i < LOADERS; i++)
        pthread_create(&loaders[i], NULL, load, &loaded);
    sem_wait(&loaded.open); //@wait
    for (int i = 0; i < LOADERS; i++)
        pthread_join(loaders[i], NULL);
    return 0;
}
