/* unravel-corpus
 * title: a thread finds out that it is not main
 * stands-for: pthread_self, pthread_equal
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t main_id;

static void *compare(void *arg) {
    (void)arg;
    assert(!pthread_equal(pthread_self(), main_id));
    assert(pthread_equal(pthread_self(), pthread_self()));
    return NULL;
}

int main(void) {
    pthread_t other;
    main_id = pthread_self();
    pthread_create(&other, NULL, compare, NULL);
    assert(!pthread_equal(other, pthread_self()));
    pthread_join(other, NULL);
    printf("two different threads\n");
    return 0;
}
