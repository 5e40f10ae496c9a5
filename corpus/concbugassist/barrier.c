/* unravel-corpus
 * title: the check itself is wrong: it says that nobody passes a barrier for three, and three threads come
 * stands-for: ConcBugAssist, Table 1, barrier
 * verdict: unsafe
 * property: reach
 * at: passed
 * pattern: sequential
 * repair: none
 * differs: three threads pass the barrier in every run, and to have passed is what the check forbids; the published orders help only where an increment gets lost, which the lock rules out
 */
#include <pthread.h>
#include <stdbool.h>

extern void reach_error(void);

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

static void barrier_wait(struct barrier *b) {
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
}

/* With fewer than three runners nobody would start. */
static void *runner(void *arg) {
    barrier_wait(arg);
    reach_error(); //@passed
    return NULL;
}

int main(void) {
    pthread_t runners[PARTIES];

    for (int i = 0; i < PARTIES; i++)
        pthread_create(&runners[i], NULL, runner, &start_line);
    for (int i = 0; i < PARTIES; i++)
        pthread_join(runners[i], NULL);
    return 0;
}
