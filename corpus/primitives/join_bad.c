/* unravel-corpus
 * title: main reads the result before it joins the worker
 * stands-for: pthread_join
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < store
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>

static int area;

static void *compute(void *arg) {
    int side = *(int *)arg;
    area = side * side; //@store
    return NULL;
}

int main(void) {
    pthread_t worker;
    int side = 7;
    pthread_create(&worker, NULL, compute, &side);
    assert(area == 49); //@check
    pthread_join(worker, NULL);
    return 0;
}
