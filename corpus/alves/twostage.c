/* unravel-corpus
 * title: a quotation is published in two stages under two locks; a reader comes between the stages
 * stands-for: Alves et al., Table 3, twostage_bad
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read_ask < ask
 * repair: widen, mutex, signal-wait
 * differs: both stages store the right prices: a reader between them is to blame, not a value
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define EXCHANGES 1
#define BROKERS 8

/* A share costs one more than is bid for it. Each price has a lock. */
struct quotation {
    pthread_mutex_t bid_lock;
    int bid; /* 0: not opened yet */
    pthread_mutex_t ask_lock;
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
    require(pthread_mutex_init(&q->bid_lock, NULL), "make a lock");
    require(pthread_mutex_init(&q->ask_lock, NULL), "make a lock");
    q->bid = 0;
    q->ask = 0;
}

static void quotation_destroy(struct quotation *q) {
    require(pthread_mutex_destroy(&q->bid_lock), "destroy a lock");
    require(pthread_mutex_destroy(&q->ask_lock), "destroy a lock");
}

/* Opens the trade: first the bid, then the price that follows from it. */
static void *publish(void *arg) {
    struct quotation *q = arg;

    pthread_mutex_lock(&q->bid_lock);
    q->bid = 1; //@bid
    pthread_mutex_unlock(&q->bid_lock);

    pthread_mutex_lock(&q->ask_lock);
    q->ask = q->bid + 1; //@ask
    pthread_mutex_unlock(&q->ask_lock);
    return NULL;
}

/* Reads both prices, unless the trade is not open. */
static void *trade(void *arg) {
    struct quotation *q = arg;

    pthread_mutex_lock(&q->bid_lock);
    int bid = q->bid; //@read_bid
    pthread_mutex_unlock(&q->bid_lock);
    if (bid == 0)
        return NULL;

    pthread_mutex_lock(&q->ask_lock);
    int ask = q->ask; //@read_ask
    pthread_mutex_unlock(&q->ask_lock);
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
    return 0;
}
