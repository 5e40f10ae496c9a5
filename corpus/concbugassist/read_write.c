/* unravel-corpus
 * title: a reader leaves a hand-made readers-writer gate by a plain decrement and wipes out another's entry
 * stands-for: ConcBugAssist, Table 1, read_write
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: leave < enter, enter < leave, leave < claim, copy < store, store < check; check < store, copy < store, store < check
 * repair: mutex, atomic, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

extern void __VERIFIER_assume(int);

#define WRITERS 2
#define READERS 2

#define NEW_RATE 3

/*
 * Many readers or one writer may be inside. Who cannot enter waits; the runs
 * in which that takes for ever are of no interest.
 */
struct gate {
    bool writing;
    int readers;
};

/* An exchange rate and the copy of it that is on display. */
struct quotation {
    struct gate gate;
    int rate;
    int display;
};

static struct quotation euro;

/* A function whose name begins so is executed in one step. */
static void __VERIFIER_atomic_enter_writing(struct gate *g) {
    __VERIFIER_assume(!g->writing && g->readers == 0); //@claim
    g->writing = true;
}

static void leave_writing(struct gate *g) {
    g->writing = false;
}

static void __VERIFIER_atomic_enter_reading(struct gate *g) {
    __VERIFIER_assume(!g->writing);
    g->readers++; //@enter
}

static void leave_reading(struct gate *g) {
    g->readers--; //@leave
}

/* Receives a new rate from the market. */
static void *receive_rate(void *arg) {
    struct quotation *q = arg;

    __VERIFIER_atomic_enter_writing(&q->gate);
    q->rate = NEW_RATE; //@store
    leave_writing(&q->gate);
    return NULL;
}

/* Puts the rate on display; it must not change meanwhile. */
static void *show_rate(void *arg) {
    struct quotation *q = arg;

    __VERIFIER_atomic_enter_reading(&q->gate);
    q->display = q->rate;          //@copy
    assert(q->display == q->rate); //@check
    leave_reading(&q->gate);
    return NULL;
}

int main(void) {
    pthread_t writers[WRITERS], readers[READERS];

    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writers[i], NULL, receive_rate, &euro);
    for (int i = 0; i < READERS; i++)
        pthread_create(&readers[i], NULL, show_rate, &euro);

    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
