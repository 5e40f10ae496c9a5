/* unravel-corpus
 * title: a memoized product is looked at twice while it is filled in; a stale zero overwrites it
 * stands-for: ConcBugAssist, Table 1, lineEq2t01
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: recall < memoize, memoize < test, take < memoize, result < result
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

#define UNKNOWN 0 /* no product of this equation is zero */

/* One term of a linear equation; the product is computed when it is first needed. */
struct term {
    int coefficient;
    int variable;
    int product;
};

static struct term term = {.coefficient = 4, .variable = 2, .product = UNKNOWN};
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
    int value = term_value(arg);

    solution = value; //@result
    return NULL;
}

int main(void) {
    pthread_t first, second;

    pthread_create(&first, NULL, solve, &term);
    pthread_create(&second, NULL, solve, &term);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(solution == term.product); //@check
    return 0;
}
