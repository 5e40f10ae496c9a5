/* unravel-corpus
 * title: a lock makes the two halves one value
 * stands-for: a mistake C programmers make: a 64-bit value that is written and read in two halves, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes that were sent, on a machine whose words have 32 bits. */
struct counter {
    pthread_mutex_t lock;
    uint32_t low;
    uint32_t high;
};

static struct counter sent = {.lock = PTHREAD_MUTEX_INITIALIZER, .low = UINT32_MAX};

static void counter_add(struct counter *c, uint32_t bytes) {
    pthread_mutex_lock(&c->lock);
    c->low += bytes; //@low
    if (c->low < bytes)
        c->high++; //@high
    pthread_mutex_unlock(&c->lock);
}

static uint64_t counter_read(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    uint64_t low = c->low;   //@read_low
    uint64_t high = c->high; //@read_high
    pthread_mutex_unlock(&c->lock);
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
    printf("%llu bytes\n", (unsigned long long)counter_read(&sent));
    return 0;
}
