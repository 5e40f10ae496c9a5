/* unravel-corpus
 * title: a timer is made the head of the list before it is linked to the rest; the walker sees a list of one
 * stands-for: a mistake C programmers make: a node that is published before it is linked
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: publish < start, walk < link
 * repair: move, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct timer {
    int milliseconds;
    struct timer *_Atomic next;
};

static struct timer heartbeat = {.milliseconds = 500};
static struct timer *_Atomic timers = &heartbeat;

static void timer_push(struct timer *t) {
    struct timer *rest = timers;

    timers = t;     //@publish
    t->next = rest; //@link
}

static void *add_timer(void *arg) {
    timer_push(arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timer retry = {.milliseconds = 20};
    int found = 0;

    pthread_create(&thread, NULL, add_timer, &retry);
    struct timer *t = timers; //@start
    while (t != NULL) {
        found = found || t == &heartbeat;
        t = t->next; //@walk
    }
    assert(found); //@check
    pthread_join(thread, NULL);
    return 0;
}
