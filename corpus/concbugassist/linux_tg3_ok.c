/* unravel-corpus
 * title: the statistics of a network card are collected and freed under the driver's lock
 * stands-for: ConcBugAssist, Table 1, linux-tg3, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

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
    pthread_mutex_t lock;       /* guards all that follows */
    int hw_stats;               /* tag of the last use of the statistics block */
    unsigned counter[COUNTERS]; /* what the hardware has counted */
    unsigned total[COUNTERS];   /* what the system is told */
};

static struct card eth0 = {PTHREAD_MUTEX_INITIALIZER, .hw_stats = 1};

/* Adds one counter of the card to the totals. */
static void collect(struct card *card, enum counter c) {
    card->total[c] += card->counter[c];
    card->hw_stats = c + 1; //@touch
}

static void collect_all(struct card *card) {
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
}

static void *get_statistics(void *arg) {
    struct card *card = arg;

    pthread_mutex_lock(&card->lock);
    if (card->hw_stats != NO_STATS)
        collect_all(card);
    pthread_mutex_unlock(&card->lock);
    return NULL;
}

/* The interface is shut down. */
static void *free_statistics(void *arg) {
    struct card *card = arg;

    pthread_mutex_lock(&card->lock);
    if (card->hw_stats != NO_STATS)
        card->hw_stats = NO_STATS; //@release
    pthread_mutex_unlock(&card->lock);
    return NULL;
}

int main(void) {
    pthread_t reader, closer;

    pthread_create(&reader, NULL, get_statistics, &eth0);
    pthread_create(&closer, NULL, free_statistics, &eth0);
    pthread_join(reader, NULL);
    pthread_join(closer, NULL);
    printf("statistics %s\n", eth0.hw_stats == NO_STATS ? "freed" : "in use");
    return 0;
}
