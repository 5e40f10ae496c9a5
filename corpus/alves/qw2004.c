/* unravel-corpus
 * title: a request tests whether the printer is being stopped and enters in a second step; it stops in between
 * stands-for: Alves et al., Table 3, qw2004
 * verdict: unsafe
 * property: reach
 * at: running
 * pattern: atomicity violation
 * orders: test < raise, stop < running
 * repair: widen, mutex, signal-wait
 * differs: test and entry are right one after the other: what comes between them is to blame, not a value
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

/* A print server. It counts as one user of itself, so that the last request stops it. */
struct server {
    pthread_mutex_t lock;
    int users;
    bool stopping; /* no further request may enter */
    sem_t idle;    /* posted when the last user has left */
    bool stopped;
};

static struct server server = {.lock = PTHREAD_MUTEX_INITIALIZER, .users = 1};

static bool server_enter(struct server *s) {
    if (s->stopping) //@test
        return false;
    s->users++; //@enter
    return true;
}

static void server_leave(struct server *s) {
    pthread_mutex_lock(&s->lock);
    int left = --s->users; //@leave
    pthread_mutex_unlock(&s->lock);
    if (left == 0)
        sem_post(&s->idle);
}

static void *server_stop(void *arg) {
    struct server *s = arg;

    s->stopping = true; //@raise
    server_leave(s);
    sem_wait(&s->idle);
    s->stopped = true; //@stop
    return NULL;
}

int main(void) {
    pthread_t stopper;

    sem_init(&server.idle, 0, 0);
    pthread_create(&stopper, NULL, server_stop, &server);

    /* A page is to be printed. */
    if (server_enter(&server)) {
        assert(!server.stopped); //@running
        server_leave(&server);
    }
    return 0;
}
