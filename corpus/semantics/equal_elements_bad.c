/* unravel-corpus
 * title: the first of two equal elements is expected to stay the first after qsort
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <stdlib.h>

struct job {
    int priority, number;
};

static int by_priority(const void *a, const void *b) {
    return ((const struct job *)a)->priority - ((const struct job *)b)->priority;
}

int main(void) {
    struct job jobs[3] = {{2, 0}, {1, 1}, {1, 2}};

    qsort(jobs, 3, sizeof *jobs, by_priority);
    assert(jobs[0].number == 1); //@check
    return 0;
}
