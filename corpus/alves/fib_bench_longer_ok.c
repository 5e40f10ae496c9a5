/* unravel-corpus
 * title: a species grows its six years in one piece, so neither comes near 377
 * stands-for: Alves et al., Table 3, fib_bench_longer, repaired
 * verdict: safe
 * output: deterministic
 * turns: 6
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#define YEARS 6
#define CAPACITY 377 /* Fibonacci number 2 * YEARS + 2: the most that is possible */

static pthread_mutex_t season = PTHREAD_MUTEX_INITIALIZER;

/* A meadow whose clover feeds the bees that pollinate it. */
struct meadow {
    int bees, clover;
};

static struct meadow meadow = {.bees = 1, .clover = 1};

static void *bees_grow(void *arg) {
    struct meadow *m = arg;

    pthread_mutex_lock(&season);
    for (int year = 0; year < YEARS; year++)
        m->bees = m->bees + m->clover; //@bees
    pthread_mutex_unlock(&season);
    return NULL;
}

static void *clover_grows(void *arg) {
    struct meadow *m = arg;

    pthread_mutex_lock(&season);
    for (int year = 0; year < YEARS; year++)
        m->clover = m->clover + m->bees; //@clover
    pthread_mutex_unlock(&season);
    return NULL;
}

int main(void) {
    pthread_t hive, field;

    pthread_create(&hive, NULL, bees_grow, &meadow);
    pthread_create(&field, NULL, clover_grows, &meadow);
    pthread_mutex_lock(&season);
    assert(meadow.bees < CAPACITY && meadow.clover < CAPACITY); //@check
    pthread_mutex_unlock(&season);
    pthread_join(hive, NULL);
    pthread_join(field, NULL);
    printf("%d in all\n", meadow.bees + meadow.clover);
    return 0;
}
