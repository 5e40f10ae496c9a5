/* unravel-corpus
 * title: a scratch variable that should be thread-local is not
 * stands-for: a static variable in place of _Thread_local
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: store < store, store < load; store < load, store < load
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

static int scratch;
static int number[2] = {1, 2}, twice[2];

static int twice_of(int n) {
    scratch = n;        //@store
    return scratch * 2; //@load
}

static void *compute(void *arg) {
    int me = *(int *)arg;
    twice[me - 1] = twice_of(me);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, compute, &number[0]);
    pthread_create(&b, NULL, compute, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(twice[0] == 2 && twice[1] == 4); //@check
    return 0;
}
