/* unravel-corpus
 * title: referee and players guard the score with the same lock
 * stands-for: Alves et al., Table 3, wronglock_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define REFEREES 1
#define PLAYERS 7

/* A match whose score both referee and players write down. */
struct match {
    pthread_mutex_t lock;
    int score;
};

static struct match match;

/* Ends the process when the system refuses a thread or a lock. */
static void require(int error, const char *what) {
    if (error == 0)
        return;
    fprintf(stderr, "cannot %s: error %d\n", what, error);
    exit(1);
}

static void match_begin(struct match *m) {
    require(pthread_mutex_init(&m->lock, NULL), "make a lock");
    m->score = 0;
}

static void match_end(struct match *m) {
    require(pthread_mutex_destroy(&m->lock), "destroy a lock");
}

/* A penalty counts one point, and nothing else may count meanwhile. */
static void *penalty(void *arg) {
    struct match *m = arg;

    pthread_mutex_lock(&m->lock);
    int before = m->score; //@before
    m->score++;            //@penalty
    assert(m->score == before + 1); //@check
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static void *goal(void *arg) {
    struct match *m = arg;

    pthread_mutex_lock(&m->lock);
    m->score++; //@goal
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

static void start(pthread_t *threads, int number, void *(*play)(void *)) {
    for (int i = 0; i < number; i++)
        require(pthread_create(&threads[i], NULL, play, &match), "create a thread");
}

static void finish(const pthread_t *threads, int number) {
    for (int i = 0; i < number; i++)
        require(pthread_join(threads[i], NULL), "join a thread");
}

int main(void) {
    pthread_t referees[REFEREES];
    pthread_t players[PLAYERS];

    match_begin(&match);
    start(referees, REFEREES, penalty);
    start(players, PLAYERS, goal);
    finish(referees, REFEREES);
    finish(players, PLAYERS);
    match_end(&match);
    printf("score %d\n", match.score);
    return 0;
}
