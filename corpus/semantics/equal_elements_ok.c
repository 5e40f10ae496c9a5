/* unravel-corpus
 * title: qsort puts equal elements beside each other, in any order
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int priority, number;
};

static int by_priority(const void *a, const void *b) {
    return ((const struct job *)a)->priority - ((const struct job *)b)->priority;
}

int main(void) {
    struct job jobs[3] = {{2, 0}, {1, 1}, {1, 2}};
    struct job wanted = {1, 9}, *found;

    qsort(jobs, 3, sizeof *jobs, by_priority);
    assert(jobs[0].number + jobs[1].number == 3 && jobs[2].number == 0);
    found = bsearch(&wanted, jobs, 3, sizeof *jobs, by_priority);
    assert(found == &jobs[0] || found == &jobs[1]);
    puts("sorted");
    return 0;
}
