/* unravel-corpus
 * title: the logger is opened once, by whoever comes first
 * stands-for: C11 call_once
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>
#include <threads.h>

static once_flag opened = ONCE_FLAG_INIT;
static int handle = -1, opens = 0;

static void open_log(void) {
    handle = 3;
    opens++;
}

static int write_log(void *arg) {
    (void)arg;
    call_once(&opened, open_log);
    assert(handle == 3);
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, write_log, NULL);
    thrd_create(&b, write_log, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(opens == 1);
    printf("opened %d time\n", opens);
    return 0;
}
