/* unravel-corpus
 * title: the memoized product is looked up, computed and stored under a lock
 * stands-for: ConcBugAssist, Table 1, lineEq2t01, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define UNKNOWN 0 /* no product of this equation is zero */

/* One term of a linear equation; the product is computed when it is first needed. */
struct term {
    pthread_mutex_t lock; /* guards the product and the solution */
    int coefficient;
    int variable;
    int product;
};

static struct term term = {PTHREAD_MUTEX_INITIALIZER, .coefficient = 4, .variable = 2, .product = UNKNOWN};
static int solution;

/* The memoized product, which is multiplied out if nobody has done that yet. */
static int term_value(struct term *t) {
    int product = t->product;  //@recall
    if (t->product == UNKNOWN) //@test
        product = t->coefficient * t->variable;
    t->product = product; //@memoize
    return t->product;    //@take
}

static void *solve(void *arg) {
    struct term *t = arg;

    pthread_mutex_lock(&t->lock);
    solution = term_value(t); //@result
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, solve, &term);
    pthread_create(&second, NULL, solve, &term);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(solution == term.product); //@check
    printf("solution %d\n", solution);
    return 0;
}
