/* unravel-corpus
 * title: an array of 64 terabytes is more than a run may take, so nothing is promised
 * stands-for: variables with static storage that no machine has room for
 * verdict: inconclusive
 */
#include <assert.h>
#include <pthread.h>

static char pages[1UL << 46];

static void *touch(void *arg) {
    pages[5] = 1;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, touch, NULL);
    pthread_join(thread, NULL);
    assert(pages[5] == 1);
    return 0;
}
