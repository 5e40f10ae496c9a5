/* unravel-corpus
 * title: whoever passes a barrier for three finds that all three have come
 * stands-for: ConcBugAssist, Table 1, barrier, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define PARTIES 3

/* A cyclic barrier: the last party to arrive opens it and makes it ready for the next round. */
struct barrier {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    unsigned arrived;
    unsigned round; /* tells an opened barrier from a spurious wakeup */
};

static struct barrier start_line = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .opened = PTHREAD_COND_INITIALIZER,
};
static atomic_int ready;   /* runners who have come to the start */
static atomic_int starter; /* of them, those who gave the signal */

/* True for exactly one of the parties: the one that came last. */
static bool barrier_wait(struct barrier *b) {
    pthread_mutex_lock(&b->lock);
    unsigned round = b->round;
    bool last = ++b->arrived == PARTIES;
    if (last) {
        b->arrived = 0;
        b->round++;
        pthread_cond_broadcast(&b->opened);
    }
    while (b->round == round)
        pthread_cond_wait(&b->opened, &b->lock);
    pthread_mutex_unlock(&b->lock);
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
    printf("%d started\n", PARTIES);
    return 0;
}
