/* unravel-corpus
 * title: a byte counter of two halves is read while the carry is on its way from the lower to the upper half
 * stands-for: a mistake C programmers make: a 64-bit value that is written and read in two halves
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: low < read_low, read_high < high
 * repair: mutex, join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* Bytes that were sent, on a machine whose words have 32 bits. */
struct counter {
    _Atomic uint32_t low;
    _Atomic uint32_t high;
};

static struct counter sent = {.low = UINT32_MAX};

static void counter_add(struct counter *c, uint32_t bytes) {
    uint32_t low = c->low + bytes;

    c->low = low; //@low
    if (low < bytes)
        c->high++; //@high
}

static uint64_t counter_read(struct counter *c) {
    uint64_t low = c->low;   //@read_low
    uint64_t high = c->high; //@read_high

    return high << 32 | low;
}

static void *sender(void *arg) {
    counter_add(arg, 1);
    return NULL;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, sender, &sent);
    uint64_t bytes = counter_read(&sent);
    assert(bytes >= UINT32_MAX); //@check
    pthread_join(thread, NULL);
    return 0;
}
