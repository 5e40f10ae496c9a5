/* unravel-corpus
 * title: the writer raises the sequence number only after it has written; a reader in between notices nothing
 * stands-for: a mistake C programmers make: a sequence counter that is not odd while the data is written
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: seconds < read_seconds, read_nanos < nanos, again < raise; read_seconds < seconds, nanos < read_nanos, again < raise
 * repair: mutex, signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The time of day; readers never block the writer. */
struct clock {
    atomic_int sequence;
    atomic_int seconds;
    atomic_int nanos; /* here ten make a second */
};

static struct clock clock_page = {.nanos = 9};

static void *tick(void *arg) {
    struct clock *c = arg;

    c->seconds = 1;   //@seconds
    c->nanos = 0;     //@nanos
    c->sequence += 2; //@raise
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
    return 0;
}
