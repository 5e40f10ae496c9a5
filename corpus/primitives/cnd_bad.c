/* unravel-corpus
 * title: the call may come before anybody listens
 * stands-for: C11 cnd_wait without a predicate: lost wakeup
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: call < wait
 * repair: predicate-loop
 */
#include <threads.h>

static mtx_t m;
static cnd_t call;

static int listen(void *arg) {
    (void)arg;
    mtx_lock(&m);
    cnd_wait(&call, &m); //@wait
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&m, mtx_plain);
    cnd_init(&call);
    thrd_create(&a, listen, NULL);
    mtx_lock(&m);
    cnd_signal(&call); //@call
    mtx_unlock(&m);
    thrd_join(a, NULL);
    return 0;
}
