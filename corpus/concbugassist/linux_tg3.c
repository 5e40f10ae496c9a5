/* unravel-corpus
 * title: the statistics of a network card are freed just before the last counter is collected
 * stands-for: ConcBugAssist, Table 1, linux-tg3
 * verdict: unsafe
 * property: reach
 * at: still_there
 * pattern: atomicity violation
 * orders: touch < release, release < still_there
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

/* The counters that the card keeps. */
enum counter {
    RX_OCTETS,
    RX_FRAGMENTS,
    RX_UNICAST,
    RX_MULTICAST,
    RX_BROADCAST,
    RX_CRC_ERRORS,
    RX_ALIGN_ERRORS,
    RX_TOO_LONG,
    RX_TOO_SHORT,
    RX_DISCARDS,
    TX_OCTETS,
    TX_COLLISIONS,
    TX_UNICAST,
    TX_MULTICAST,
    TX_BROADCAST,
    TX_DISCARDS,
    NIC_AVOIDED_IRQS,
    COUNTERS
};

#define NO_STATS 0 /* the block has been freed */

struct card {
    int hw_stats;               /* tag of the last use of the statistics block */
    unsigned counter[COUNTERS]; /* what the hardware has counted */
    unsigned total[COUNTERS];   /* what the system is told */
};

static struct card eth0 = {.hw_stats = 1};

/* Adds one counter of the card to the totals. */
static void collect(struct card *card, enum counter c) {
    card->total[c] += card->counter[c];
    card->hw_stats = c + 1; //@touch
}

static void *get_statistics(void *arg) {
    struct card *card = arg;

    if (card->hw_stats == NO_STATS)
        return NULL;
    collect(card, RX_OCTETS);
    collect(card, RX_FRAGMENTS);
    collect(card, RX_UNICAST);
    collect(card, RX_MULTICAST);
    collect(card, RX_BROADCAST);
    collect(card, RX_CRC_ERRORS);
    collect(card, RX_ALIGN_ERRORS);
    collect(card, RX_TOO_LONG);
    collect(card, RX_TOO_SHORT);
    collect(card, RX_DISCARDS);
    collect(card, TX_OCTETS);
    collect(card, TX_COLLISIONS);
    collect(card, TX_UNICAST);
    collect(card, TX_MULTICAST);
    collect(card, TX_BROADCAST);
    collect(card, TX_DISCARDS);
    assert(card->hw_stats != NO_STATS); //@still_there
    collect(card, NIC_AVOIDED_IRQS);
    return NULL;
}

/* The interface is shut down. */
static void *free_statistics(void *arg) {
    struct card *card = arg;

    if (card->hw_stats != NO_STATS)
        card->hw_stats = NO_STATS; //@release
    return NULL;
}

int main(void) {
    pthread_t reader, closer;

    pthread_create(&reader, NULL, get_statistics, &eth0);
    pthread_create(&closer, NULL, free_statistics, &eth0);
    pthread_exit(NULL);
}
