/* unravel-corpus
 * title: readers and writers enter and leave a hand-made gate in one step each
 * stands-for: ConcBugAssist, Table 1, read_write, repaired
 * verdict: safe
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

/* An exchange rate and its gate. */
struct quotation {
    struct gate gate;
    int rate;
};

static struct quotation euro;

/* A function whose name begins so is executed in one step. */
static void __VERIFIER_atomic_enter_writing(struct gate *g) {
    __VERIFIER_assume(!g->writing && g->readers == 0); //@claim
    g->writing = true;
}

static void __VERIFIER_atomic_leave_writing(struct gate *g) {
    g->writing = false;
}

static void __VERIFIER_atomic_enter_reading(struct gate *g) {
    __VERIFIER_assume(!g->writing);
    g->readers++; //@enter
}

static void __VERIFIER_atomic_leave_reading(struct gate *g) {
    g->readers--; //@leave
}

/* Receives a new rate from the market. */
static void *receive_rate(void *arg) {
    struct quotation *q = arg;

    __VERIFIER_atomic_enter_writing(&q->gate);
    q->rate = NEW_RATE; //@store
    __VERIFIER_atomic_leave_writing(&q->gate);
    return NULL;
}

/* Puts the rate on display; it must not change meanwhile. */
static void *show_rate(void *arg) {
    struct quotation *q = arg;

    __VERIFIER_atomic_enter_reading(&q->gate);
    int display = q->rate;      //@copy
    assert(display == q->rate); //@check
    __VERIFIER_atomic_leave_reading(&q->gate);
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
