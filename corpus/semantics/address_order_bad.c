/* unravel-corpus
 * title: the order of two objects in memory is taken for granted
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int low, high;
static uintptr_t at_low, at_high;

static void *note(void *arg) {
    at_low = (uintptr_t)&low;
    at_high = (uintptr_t)&high;
    return arg;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, note, NULL);
    pthread_join(thread, NULL);
    assert(at_low < at_high); //@check
    return 0;
}
