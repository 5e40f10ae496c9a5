/* unravel-corpus
 * title: ids are compared after the first thread was joined; the second may have got the same
 * stands-for: pthread_equal
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <pthread.h>

static void *shift(void *arg) {
    return arg;
}

int main(void) {
    pthread_t early, late;
    pthread_create(&early, NULL, shift, NULL);
    pthread_join(early, NULL);
    pthread_create(&late, NULL, shift, NULL);
    pthread_join(late, NULL);
    assert(!pthread_equal(early, late)); //@check
    return 0;
}
