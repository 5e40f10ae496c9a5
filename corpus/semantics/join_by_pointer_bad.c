/* unravel-corpus
 * title: whether the worker is joined depends on a function pointer
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < done
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static int finished;
static pthread_t worker;

static void *work(void *arg) {
    finished = 1; //@done
    return arg;
}

static void wait_for_it(void) { pthread_join(worker, NULL); }

static void let_it_run(void) {}

int main(void) {
    pthread_create(&worker, NULL, work, NULL);
    void (*leave)(void) = __VERIFIER_nondet_bool() ? wait_for_it : let_it_run;
    leave();
    assert(finished); //@check
    return 0;
}
