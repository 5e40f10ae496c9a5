/* unravel-corpus
 * title: whatever order three objects have in memory, it is one order, for all threads
 * stands-for: a corner of what a program means
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a, b;
static int *p = &a, *q = &b, *r;
static int first, second;

static void *ask_first(void *arg) {
    first = p < q;
    return arg;
}

static void *ask_second(void *arg) {
    second = q < r;
    return arg;
}

int main(void) {
    pthread_t one, two;

    r = malloc(sizeof *r);
    pthread_create(&one, NULL, ask_first, NULL);
    pthread_create(&two, NULL, ask_second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    if (first && second)
        assert(p < r && r > p);
    if (!first && !second)
        assert(r < q && q <= p && r <= p);
    assert(first == (q > p) && second != (r <= q));
    free(r);
    return 0;
}
