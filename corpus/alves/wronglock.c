/* unravel-corpus
 * title: the referee guards the score with a lock of his own; the players use another one
 * stands-for: Alves et al., Table 3, wronglock_bad
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: before < goal, goal < penalty; penalty < goal, goal < check
 * repair: mutex, signal-wait
 * differs: referee and players compute the right scores one after the other: two locks that do not exclude each other are to blame, not a value
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define REFEREES 1
#define PLAYERS 7

/* A match whose score both referee and players write down. */
struct match {
    pthread_mutex_t referee_lock;
    pthread_mutex_t player_lock;
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
    require(pthread_mutex_init(&m->referee_lock, NULL), "make a lock");
    require(pthread_mutex_init(&m->player_lock, NULL), "make a lock");
    m->score = 0;
}

static void match_end(struct match *m) {
    require(pthread_mutex_destroy(&m->referee_lock), "destroy a lock");
    require(pthread_mutex_destroy(&m->player_lock), "destroy a lock");
}

/* A penalty counts one point, and nothing else may count meanwhile. */
static void *penalty(void *arg) {
    struct match *m = arg;

    pthread_mutex_lock(&m->referee_lock);
    int before = m->score; //@before
    m->score++;            //@penalty
    assert(m->score == before + 1); //@check
    pthread_mutex_unlock(&m->referee_lock);
    return NULL;
}

static void *goal(void *arg) {
    struct match *m = arg;

    pthread_mutex_lock(&m->player_lock);
    m->score++; //@goal
    pthread_mutex_unlock(&m->player_lock);
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
    return 0;
}
