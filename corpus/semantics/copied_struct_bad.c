/* unravel-corpus
 * title: a structure is assigned member by member; a copy made meanwhile is half old, half new
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read < write, write < read
 * repair: mutex, signal-wait, join
 */
#include <assert.h>
#include <pthread.h>

/* Both members fit into one word of the machine; C does not copy them in one step for all that. */
struct range {
    int low;
    int high;
};

static struct range shown = {0, 10};

static void *scroll(void *arg) {
    struct range next = {20, 30};

    shown = next; //@write
    return arg;
}

int main(void) {
    pthread_t scroller;

    pthread_create(&scroller, NULL, scroll, NULL);
    struct range seen = shown; //@read
    assert(seen.high - seen.low == 10); //@check
    pthread_join(scroller, NULL);
    return 0;
}
