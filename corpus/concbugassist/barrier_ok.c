/* unravel-corpus
 * title: whoever passes a barrier for three finds that all three have come
 * stands-for: ConcBugAssist, Table 1, barrier, repaired
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern void __VERIFIER_assume(int);

#define PARTIES 3

/* A cyclic barrier: the last party to arrive opens it and makes it ready for the next round. */
struct barrier {
    pthread_mutex_t lock;
    unsigned arrived;
    unsigned round;
};

static struct barrier start_line = {PTHREAD_MUTEX_INITIALIZER, 0, 0};
static atomic_int ready;   /* runners who have come to the start */
static atomic_int starter; /* of them, those who gave the signal */

static bool round_is_over(struct barrier *b, unsigned round) {
    pthread_mutex_lock(&b->lock);
    bool over = b->round != round;
    pthread_mutex_unlock(&b->lock);
    return over;
}

/* True for exactly one of the parties: the one that came last. */
static bool barrier_wait(struct barrier *b) {
    pthread_mutex_lock(&b->lock);
    unsigned round = b->round;
    bool last = ++b->arrived == PARTIES;
    if (last) {
        b->arrived = 0;
        b->round++;
    }
    pthread_mutex_unlock(&b->lock);

    /* Runs that look too early do not count, which stands for waiting. */
    if (!last)
        __VERIFIER_assume(round_is_over(b, round));
    return last;
}

static void *runner(void *arg) {
    ready++;
    if (barrier_wait(arg))
        starter++;
    assert(ready == PARTIES); //@passed
    return NULL;
}

int main(void) {
    pthread_t runners[PARTIES];

    for (int i = 0; i < PARTIES; i++)
        pthread_create(&runners[i], NULL, runner, &start_line);
    for (int i = 0; i < PARTIES; i++)
        pthread_join(runners[i], NULL);
    assert(starter == 1);
    return 0;
}
