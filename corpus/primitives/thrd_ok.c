/* unravel-corpus
 * title: two threads return their results as exit codes
 * stands-for: C11 thrd_create, thrd_join, thrd_exit, thrd_current, thrd_equal, thrd_yield
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <threads.h>

static thrd_t main_id;

static int square(void *arg) {
    int n = *(int *)arg;
    assert(!thrd_equal(thrd_current(), main_id));
    thrd_yield();
    if (n > 3)
        thrd_exit(n * n);
    return n * n;
}

int main(void) {
    thrd_t a, b;
    int three = 3, four = 4, nine, sixteen;
    main_id = thrd_current();
    int rc = thrd_create(&a, square, &three);
    assert(rc == thrd_success);
    rc = thrd_create(&b, square, &four);
    assert(rc == thrd_success);
    thrd_join(a, &nine);
    thrd_join(b, &sixteen);
    assert(nine == 9 && sixteen == 16);
    printf("%d\n", nine + sixteen);
    return 0;
}
