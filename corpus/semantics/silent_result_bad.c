/* unravel-corpus
 * title: what a thread returns is not what main expects; the thread does nothing else
 * stands-for: results of threads that take no step others can notice
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static const int limits[2] = {3, 5};

static void *limit(void *arg) {
    return (void *)&limits[arg != NULL];
}

int main(void) {
    pthread_t first, second;
    void *low, *high;
    pthread_create(&first, NULL, limit, NULL);
    pthread_create(&second, NULL, limit, &first);
    pthread_join(first, &low);
    pthread_join(second, &high);
    assert(*(const int *)low > *(const int *)high); //@check
    return 0;
}
