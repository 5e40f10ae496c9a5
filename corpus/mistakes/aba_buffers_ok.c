/* unravel-corpus
 * title: the first free buffer carries a version that every change of the list raises
 * stands-for: a mistake C programmers make: a free list by compare-and-swap on the bare index (ABA), avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

/* Packet buffers 1 and 2 are free; 0 ends the list. */
struct top {
    short buffer;
    short version; /* how often the top has changed */
};

static _Atomic struct top first = (struct top){1, 0};
static atomic_int next[3] = {0, 2, 0};
static atomic_int users[3];

/* A free buffer, or 0 if there is none. */
static int buffer_take(void) {
    struct top top = first; //@top

    while (top.buffer != 0) {
        struct top below = {(short)next[top.buffer], (short)(top.version + 1)}; //@below
        if (atomic_compare_exchange_strong(&first, &top, below)) //@swap
            break;
    }
    int buffer = top.buffer;
    if (buffer != 0) {
        int others = atomic_fetch_add(&users[buffer], 1); //@user
        assert(others == 0);                              //@claim
    }
    return buffer;
}

static void buffer_give(int buffer) {
    struct top top = first; //@old
    struct top given;

    users[buffer] = 0;
    do {
        next[buffer] = top.buffer; //@link
        given = (struct top){(short)buffer, (short)(top.version + 1)};
    } while (!atomic_compare_exchange_strong(&first, &top, given)); //@push
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
    printf("done\n");
    return 0;
}
