/* unravel-corpus
 * title: a record is copied through a pointer that another thread moves, and the copy's link is followed
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: move < look
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct page {
    struct page *previous;
    int visits;
};

static struct page first = {NULL, 1};
static struct page second = {&first, 2};
static struct page *current = &first;

static void *crawl(void *arg) {
    struct page seen = *current; //@look

    if (seen.previous != NULL)
        seen.previous->visits = 7;
    return arg;
}

int main(void) {
    pthread_t crawler;

    pthread_create(&crawler, NULL, crawl, NULL);
    current = &second; //@move
    pthread_join(crawler, NULL);
    assert(first.visits == 1); //@check
    return 0;
}
