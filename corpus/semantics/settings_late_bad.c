/* unravel-corpus
 * title: a setting is changed when the thread that reads it runs already
 * stands-for: what main writes before it creates threads, and what it writes after
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <pthread.h>

static int limit;
static int size;
static int *shown = &size;

static void *keep(void *arg) {
    (void)arg;
    assert(limit == 1); //@check
    return NULL;
}

static void start(pthread_t *keeper) {
    limit = 1;
    *shown = 3;
    pthread_create(keeper, NULL, keep, NULL);
}

int main(void) {
    pthread_t keeper;

    start(&keeper);
    assert(size == 3);
    limit = 2;
    pthread_join(keeper, NULL);
    return 0;
}
