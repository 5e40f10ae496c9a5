/* unravel-corpus
 * title: a new block has the address of one that was freed meanwhile, and is taken for it
 * stands-for: a corner of what a program means (ABA)
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: release < check
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *known;

static void *allocate(void *arg) {
    int *fresh = malloc(16);
    assert(fresh != known); //@check
    return arg;
}

static void *release(void *arg) {
    free(known); //@release
    return arg;
}

int main(void) {
    pthread_t allocator, releaser;
    known = malloc(16);
    pthread_create(&allocator, NULL, allocate, NULL);
    pthread_create(&releaser, NULL, release, NULL);
    pthread_join(allocator, NULL);
    pthread_join(releaser, NULL);
    return 0;
}
