/* unravel-corpus
 * title: each thread has a once flag of its own
 * stands-for: C11 call_once, the flag
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int opens = 0;

static void open_log(void) {
    opens++;
}

static int write_log(void *arg) {
    once_flag *opened = arg;
    call_once(opened, open_log);
    return 0;
}

int main(void) {
    thrd_t a, b;
    once_flag first = ONCE_FLAG_INIT, second = ONCE_FLAG_INIT;
    thrd_create(&a, write_log, &first);
    thrd_create(&b, write_log, &second);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(opens == 1); //@check
    return 0;
}
