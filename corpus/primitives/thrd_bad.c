/* unravel-corpus
 * title: main detaches the thread and reads its result at once
 * stands-for: C11 thrd_create, thrd_detach
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < store
 * repair: signal-wait, join
 */
#include <assert.h>
#include <threads.h>

static int result = 0;

static int square(void *arg) {
    int n = *(int *)arg;
    result = n * n; //@store
    return 0;
}

static int three = 3;

int main(void) {
    thrd_t a;
    thrd_create(&a, square, &three);
    thrd_detach(a);
    assert(result == 9); //@check
    return 0;
}
