/* unravel-corpus
 * title: times that are none are refused by the functions of C11
 * stands-for: mtx_timedlock, cnd_timedwait, thrd_sleep
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

int main(void) {
    static const struct timespec bad = {0, 1000000000}, fine = {0, 1000};
    mtx_t till;
    cnd_t opened;
    mtx_init(&till, mtx_timed);
    cnd_init(&opened);
    assert(mtx_timedlock(&till, &bad) == thrd_success);
    assert(mtx_timedlock(&till, &bad) == thrd_error);
    assert(cnd_timedwait(&opened, &till, &bad) == thrd_error);
    mtx_unlock(&till);
    assert(thrd_sleep(&bad, NULL) < 0);
    assert(thrd_sleep(&fine, NULL) == 0);
    cnd_destroy(&opened);
    mtx_destroy(&till);
    puts("no such time");
    return 0;
}
