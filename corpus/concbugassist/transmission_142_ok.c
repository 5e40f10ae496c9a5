/* unravel-corpus
 * title: the session is ready before its timer is started
 * stands-for: ConcBugAssist, Table 1, transmission-1.42, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define PERIOD_MSEC 500

/* How much the torrents of a session may send. */
struct bandwidth {
    unsigned limit;    /* bytes per second */
    unsigned allotted; /* bytes left in this period */
};

struct session {
    struct bandwidth *bandwidth;
};

static struct session session;

static struct bandwidth *bandwidth_new(unsigned limit) {
    struct bandwidth *b = malloc(sizeof *b);

    if (b == NULL)
        abort();
    b->limit = limit;
    b->allotted = 0;
    return b;
}

/* Allots what may be sent in the next period. */
static void bandwidth_allot(struct bandwidth *b) {
    b->allotted = b->limit / 1000 * PERIOD_MSEC;
}

/* Prepares a session. */
static void *session_start(void *arg) {
    struct session *s = arg;

    s->bandwidth = bandwidth_new(20000);
    return NULL;
}

/* Called for every period, the first time when the session is ready. */
static void *bandwidth_timer(void *arg) {
    struct session *s = arg;

    assert(s->bandwidth != NULL);
    bandwidth_allot(s->bandwidth);
    return NULL;
}

int main(void) {
    pthread_t starter, timer;

    pthread_create(&starter, NULL, session_start, &session);
    pthread_join(starter, NULL);
    pthread_create(&timer, NULL, bandwidth_timer, &session);
    pthread_join(timer, NULL);
    printf("%u bytes allotted\n", session.bandwidth->allotted);
    free(session.bandwidth);
    return 0;
}
