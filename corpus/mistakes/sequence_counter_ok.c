/* unravel-corpus
 * title: the sequence number is odd while the writer writes
 * stands-for: a mistake C programmers make: a sequence counter that is not odd while the data is written, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The time of day; readers never block the writer. */
struct clock {
    atomic_int sequence;
    atomic_int seconds;
    atomic_int nanos; /* here ten make a second */
};

static struct clock clock_page = {.nanos = 9};

static void *tick(void *arg) {
    struct clock *c = arg;

    c->sequence++;
    c->seconds = 1; //@seconds
    c->nanos = 0;   //@nanos
    c->sequence++;  //@raise
    return NULL;
}

/* Whether the two parts of the time belong together. */
static bool clock_read(struct clock *c, int *seconds, int *nanos) {
    int before = c->sequence;

    *seconds = c->seconds; //@read_seconds
    *nanos = c->nanos;     //@read_nanos
    int after = c->sequence; //@again
    return before % 2 == 0 && before == after;
}

int main(void) {
    pthread_t ticker;
    int seconds, nanos;

    pthread_create(&ticker, NULL, tick, &clock_page);
    if (clock_read(&clock_page, &seconds, &nanos)) {
        int tenths = 10 * seconds + nanos;
        assert(tenths == 9 || tenths == 10); //@check
    }
    pthread_join(ticker, NULL);
    printf("sequence %d\n", clock_page.sequence);
    return 0;
}
