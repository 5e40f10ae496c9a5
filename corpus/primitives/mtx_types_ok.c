/* unravel-corpus
 * title: a recursive mutex is taken twice, a timed one is waited for until a deadline
 * stands-for: C11 mtx_recursive, mtx_timed, mtx_timedlock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t nested, timed;
static const struct timespec deadline = {1, 0};
static int depth = 0, tries = 0;

static int work(void *arg) {
    (void)arg;
    mtx_lock(&nested);
    mtx_lock(&nested);
    depth += 2;
    mtx_unlock(&nested);
    tries++;
    mtx_unlock(&nested);
    int rc = mtx_timedlock(&timed, &deadline);
    if (rc == thrd_success)
        mtx_unlock(&timed);
    else
        assert(rc == thrd_timedout);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&nested, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    thrd_create(&a, work, NULL);
    work(NULL);
    thrd_join(a, NULL);
    assert(depth == 4 && tries == 2);
    printf("depth %d\n", depth);
    return 0;
}
