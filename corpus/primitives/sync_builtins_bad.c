/* unravel-corpus
 * title: the lock is tested and set in two steps
 * stands-for: __sync_synchronize in place of __sync_lock_test_and_set
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < set, test < set; enter < enter, enter < leave
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>

static volatile int lock = 0;
static int inside = 0;

static void *work(void *arg) {
    (void)arg;
    while (lock) //@test
        ;
    lock = 1; //@set
    __sync_synchronize();
    int n = __sync_add_and_fetch(&inside, 1); //@enter
    assert(n == 1); //@check
    __sync_sub_and_fetch(&inside, 1); //@leave
    __sync_lock_release(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
