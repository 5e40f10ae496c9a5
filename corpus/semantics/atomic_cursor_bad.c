/* unravel-corpus
 * title: an atomic addition moves a shared pointer to the next slot, which another thread expects empty
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int slots[4];
static _Atomic(int *) cursor;

static void *fill(void *arg) {
    atomic_fetch_add(&cursor, 1);
    int *slot = cursor;
    *slot = 7;
    return arg;
}

int main(void) {
    pthread_t filler;
    cursor = slots;
    pthread_create(&filler, NULL, fill, NULL);
    pthread_join(filler, NULL);
    assert(slots[1] == 0); //@check
    return 0;
}
