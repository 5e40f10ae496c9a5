/* unravel-corpus
 * title: two waiters are woken by a broadcast and answer with a signal
 * stands-for: C11 cnd_init, cnd_wait, cnd_signal, cnd_broadcast, cnd_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>

static mtx_t m;
static cnd_t call, answer;
static bool called = false;
static int answers = 0;

static int listen(void *arg) {
    (void)arg;
    mtx_lock(&m);
    while (!called)
        cnd_wait(&call, &m);
    answers++;
    cnd_signal(&answer);
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&m, mtx_plain);
    cnd_init(&call);
    cnd_init(&answer);
    thrd_create(&a, listen, NULL);
    thrd_create(&b, listen, NULL);
    mtx_lock(&m);
    called = true;
    cnd_broadcast(&call);
    while (answers < 2)
        cnd_wait(&answer, &m);
    mtx_unlock(&m);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    cnd_destroy(&call);
    cnd_destroy(&answer);
    assert(answers == 2);
    printf("%d answers\n", answers);
    return 0;
}
