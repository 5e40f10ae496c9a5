/* unravel-corpus
 * title: a thread is created before main, and a setting is changed after that, also before main
 * stands-for: what is written once there are threads, wherever they are created
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <pthread.h>

static int limit = 1;
static pthread_t keeper;

static void *keep(void *arg) {
    (void)arg;
    assert(limit == 1); //@check
    return NULL;
}

__attribute__((constructor(200))) static void start(void) {
    pthread_create(&keeper, NULL, keep, NULL);
}

__attribute__((constructor(300))) static void configure(void) {
    limit = 2;
}

int main(void) {
    pthread_join(keeper, NULL);
    return 0;
}
