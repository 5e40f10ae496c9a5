/* unravel-corpus
 * title: one lock covers both stages of publishing and both of reading
 * stands-for: Alves et al., Table 3, twostage_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define EXCHANGES 1
#define BROKERS 8

/* A share costs one more than is bid for it. Both are used under one lock. */
struct quotation {
    pthread_mutex_t lock;
    int bid; /* 0: not opened yet */
    int ask;
};

static struct quotation quotation;

/* Ends the process when the system refuses a thread or a lock. */
static void require(int error, const char *what) {
    if (error == 0)
        return;
    fprintf(stderr, "cannot %s: error %d\n", what, error);
    exit(1);
}

static void quotation_init(struct quotation *q) {
    require(pthread_mutex_init(&q->lock, NULL), "make a lock");
    q->bid = 0;
    q->ask = 0;
}

static void quotation_destroy(struct quotation *q) {
    require(pthread_mutex_destroy(&q->lock), "destroy a lock");
}

/* Opens the trade: first the bid, then the price that follows from it. */
static void *publish(void *arg) {
    struct quotation *q = arg;

    pthread_mutex_lock(&q->lock);
    q->bid = 1;          //@bid
    q->ask = q->bid + 1; //@ask
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Reads both prices, unless the trade is not open. */
static void *trade(void *arg) {
    struct quotation *q = arg;

    pthread_mutex_lock(&q->lock);
    int bid = q->bid; //@read_bid
    int ask = q->ask; //@read_ask
    pthread_mutex_unlock(&q->lock);
    if (bid == 0)
        return NULL;
    assert(ask == bid + 1); //@check
    return NULL;
}

static void start(pthread_t *threads, int number, void *(*job)(void *)) {
    for (int i = 0; i < number; i++)
        require(pthread_create(&threads[i], NULL, job, &quotation), "create a thread");
}

static void finish(const pthread_t *threads, int number) {
    for (int i = 0; i < number; i++)
        require(pthread_join(threads[i], NULL), "join a thread");
}

int main(void) {
    pthread_t exchanges[EXCHANGES];
    pthread_t brokers[BROKERS];

    quotation_init(&quotation);
    start(exchanges, EXCHANGES, publish);
    start(brokers, BROKERS, trade);
    finish(exchanges, EXCHANGES);
    finish(brokers, BROKERS);
    quotation_destroy(&quotation);
    printf("bid %d, ask %d\n", quotation.bid, quotation.ask);
    return 0;
}
