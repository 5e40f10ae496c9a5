/* unravel-corpus
 * title: a plain mutex is taken twice by the same thread
 * stands-for: C11 mtx_plain, locked again
 * verdict: unsafe
 * property: misuse
 * at: again
 * pattern: order violation
 * orders: raise < look
 * repair: widen, signal-wait, join
 */
#include <stdatomic.h>
#include <threads.h>

static mtx_t m;
static atomic_int alarm_raised = 0;
static int log_lines = 0;

static void log_alarm(void) {
    mtx_lock(&m); //@again
    log_lines++;
    mtx_unlock(&m);
}

static int watch(void *arg) {
    (void)arg;
    mtx_lock(&m);
    if (alarm_raised) //@look
        log_alarm();
    mtx_unlock(&m);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&m, mtx_plain);
    thrd_create(&a, watch, NULL);
    alarm_raised = 1; //@raise
    thrd_join(a, NULL);
    return 0;
}
