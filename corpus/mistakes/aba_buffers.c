/* unravel-corpus
 * title: the first free buffer is the same again, but the second is in use now
 * stands-for: a mistake C programmers make: a free list by compare-and-swap on the bare index (ABA)
 * verdict: unsafe
 * property: reach
 * at: claim
 * pattern: atomicity violation
 * orders: below < link, swap < swap, push < swap
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Packet buffers 1 and 2 are free; 0 ends the list. */
static atomic_int first = 1;
static atomic_int next[3] = {0, 2, 0};
static atomic_int users[3];

/* A free buffer, or 0 if there is none. */
static int buffer_take(void) {
    int buffer = first; //@top

    while (buffer != 0) {
        int below = next[buffer]; //@below
        if (atomic_compare_exchange_strong(&first, &buffer, below)) //@swap
            break;
    }
    if (buffer != 0) {
        int others = atomic_fetch_add(&users[buffer], 1); //@user
        assert(others == 0);                              //@claim
    }
    return buffer;
}

static void buffer_give(int buffer) {
    int top = first; //@old

    users[buffer] = 0;
    do
        next[buffer] = top; //@link
    while (!atomic_compare_exchange_strong(&first, &top, buffer)); //@push
}

static void *receive(void *arg) {
    buffer_take();
    buffer_take();
    return arg;
}

int main(void) {
    pthread_t receiver;

    pthread_create(&receiver, NULL, receive, NULL);
    int header = buffer_take();
    buffer_take();
    if (header != 0)
        buffer_give(header);
    pthread_join(receiver, NULL);
    return 0;
}
