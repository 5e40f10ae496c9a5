/* unravel-corpus
 * title: the result of mtx_trylock is not looked at before the vote is counted
 * stands-for: C11 mtx_trylock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: locked < loose, loose < locked
 * repair: atomic, mutex
 */
#include <assert.h>
#include <threads.h>

static mtx_t m;
static int votes = 0;

static int vote(void *arg) {
    (void)arg;
    mtx_lock(&m);
    votes++; //@locked
    mtx_unlock(&m);
    return 0;
}

static int vote_hastily(void *arg) {
    (void)arg;
    int rc = mtx_trylock(&m);
    votes++; //@loose
    if (rc == thrd_success)
        mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, vote, NULL);
    thrd_create(&b, vote_hastily, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(votes == 2); //@check
    return 0;
}
