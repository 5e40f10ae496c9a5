/* unravel-corpus
 * title: the pool is told to stop without its lock, between a worker's test and its wait
 * stands-for: an everyday program: a thread pool as a module of its own
 * verdict: unsafe
 * property: deadlock
 * at: join
 * fault: stop
 * pattern: lost wakeup
 * repair: mutex
 * patch: pool.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pool.h"

struct job {
    int number;
    long square;
};

static void square(void *arg) {
    struct job *j = arg;

    j->square = (long)j->number * j->number;
}

int main(int argc, char **argv) {
    struct pool pool;
    struct job jobs[2];
    int workers = argc > 1 ? atoi(argv[1]) : 2;
    int error = pool_create(&pool, workers);

    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(error));
        return 1;
    }
    for (int i = 0; i < 2; i++) {
        jobs[i].number = i + 3;
        jobs[i].square = 0;
        if (pool_submit(&pool, square, &jobs[i]) != 0)
            fprintf(stderr, "job %d is lost\n", i);
    }
    pool_destroy(&pool);

    long sum = 0;
    for (int i = 0; i < 2; i++)
        sum += jobs[i].square;
    printf("sum of squares: %ld\n", sum);
    return 0;
}
