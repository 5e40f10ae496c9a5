/* unravel-corpus
 * title: the countdown is one atomic step
 * stands-for: a mistake C programmers make: a countdown that is not atomic, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

#define LOADERS 2

/* Opens when all loaders are through. */
struct latch {
    atomic_int remaining;
    sem_t open;
};

static struct latch loaded = {.remaining = LOADERS};

static void latch_down(struct latch *l) {
    int left = atomic_fetch_sub(&l->remaining, 1) - 1; //@down

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
    printf("loaded\n");
    sem_destroy(&loaded.open);
    return 0;
}
