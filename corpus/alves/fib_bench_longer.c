/* unravel-corpus
 * title: two species grow by each other's numbers for six years; only strict alternation reaches 377
 * stands-for: Alves et al., Table 3, fib_bench_longer
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: bees < check, bees < clover, bees < clover, bees < clover, bees < clover, bees < clover, clover < bees, clover < bees, clover < bees, clover < bees, clover < bees, clover < bees; clover < check, clover < bees, clover < bees, clover < bees, clover < bees, clover < bees, bees < clover, bees < clover, bees < clover, bees < clover, bees < clover, bees < clover
 * repair: mutex, signal-wait
 * differs: one species after the other stays below the capacity: only strict alternation reaches it, which is an order
 * turns: 6
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define YEARS 6
#define CAPACITY 377 /* Fibonacci number 2 * YEARS + 2: the most that is possible */

/* A meadow whose clover feeds the bees that pollinate it. */
struct meadow {
    int bees, clover;
};

static struct meadow meadow = {.bees = 1, .clover = 1};

static void *bees_grow(void *arg) {
    struct meadow *m = arg;

    for (int year = 0; year < YEARS; year++)
        m->bees = m->bees + m->clover; //@bees
    return NULL;
}

static void *clover_grows(void *arg) {
    struct meadow *m = arg;

    for (int year = 0; year < YEARS; year++)
        m->clover = m->clover + m->bees; //@clover
    return NULL;
}

int main(void) {
    pthread_t hive, field;

    pthread_create(&hive, NULL, bees_grow, &meadow);
    pthread_create(&field, NULL, clover_grows, &meadow);
    assert(meadow.bees < CAPACITY && meadow.clover < CAPACITY); //@check
    return 0;
}
