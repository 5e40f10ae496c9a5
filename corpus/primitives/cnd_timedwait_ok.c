/* unravel-corpus
 * title: a listener stops listening at a deadline
 * stands-for: C11 cnd_timedwait
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>

static mtx_t m;
static cnd_t call;
static const struct timespec deadline = {1, 0};
static bool called = false;

static int listen(void *arg) {
    (void)arg;
    int rc = thrd_success;
    mtx_lock(&m);
    while (!called && rc != thrd_timedout)
        rc = cnd_timedwait(&call, &m, &deadline);
    assert(called || rc == thrd_timedout);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&m, mtx_plain);
    cnd_init(&call);
    thrd_create(&a, listen, NULL);
    mtx_lock(&m);
    called = true;
    cnd_signal(&call);
    mtx_unlock(&m);
    thrd_join(a, NULL);
    printf("done\n");
    return 0;
}
