/* unravel-corpus
 * title: two threads count under a plain mutex, one of them retries with trylock
 * stands-for: C11 mtx_init, mtx_lock, mtx_trylock, mtx_unlock, mtx_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <threads.h>

static mtx_t m;
static int votes = 0;

static int vote(void *arg) {
    (void)arg;
    mtx_lock(&m);
    votes++;
    mtx_unlock(&m);
    return 0;
}

static int vote_patiently(void *arg) {
    (void)arg;
    while (mtx_trylock(&m) == thrd_busy)
        thrd_yield();
    votes++;
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, vote, NULL);
    thrd_create(&b, vote_patiently, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    mtx_destroy(&m);
    assert(votes == 2);
    printf("%d votes\n", votes);
    return 0;
}
