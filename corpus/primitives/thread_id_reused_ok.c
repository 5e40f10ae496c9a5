/* unravel-corpus
 * title: ids are compared while both threads can still be joined
 * stands-for: pthread_equal
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *shift(void *arg) {
    return arg;
}

int main(void) {
    pthread_t early, late;
    pthread_create(&early, NULL, shift, NULL);
    pthread_create(&late, NULL, shift, NULL);
    assert(!pthread_equal(early, late));
    pthread_join(early, NULL);
    pthread_join(late, NULL);
    puts("two shifts");
    return 0;
}
