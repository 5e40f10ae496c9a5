/* unravel-corpus
 * title: an assignment of a structure is more than one step
 * stands-for: structure assignment, torn
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: write < read, read < write
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

struct interval {
    long from, to, step;
};

static struct interval window = {0, 10, 1};

static void *shift(void *arg) {
    (void)arg;
    struct interval later = {100, 110, 1};
    window = later; //@write
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, shift, NULL);
    struct interval seen = window;     //@read
    assert(seen.to - seen.from == 10); //@check
    pthread_join(t, NULL);
    return 0;
}
