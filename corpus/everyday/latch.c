/* unravel-corpus
 * title: a latch wakes one of its waiters where it means all of them
 * stands-for: an everyday program: runners that wait for the start
 * verdict: unsafe
 * property: deadlock
 * at: wait, join
 * fault: signal
 * pattern: lost wakeup
 * repair: predicate-loop
 * patch: latch.c
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_RUNNERS 4

struct latch {
    pthread_mutex_t mutex;
    pthread_cond_t opened;
    bool open;
};

struct runner {
    int number;
    pthread_t thread;
    struct latch *start;
    int place;
};

static pthread_mutex_t finish_mutex = PTHREAD_MUTEX_INITIALIZER;
static int finished;

static void latch_init(struct latch *l) {
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->opened, NULL);
    l->open = false;
}

static void latch_wait(struct latch *l) {
    pthread_mutex_lock(&l->mutex);
    while (!l->open)
        pthread_cond_wait(&l->opened, &l->mutex); //@wait
    pthread_mutex_unlock(&l->mutex);
}

static void latch_open(struct latch *l) {
    pthread_mutex_lock(&l->mutex);
    l->open = true;
    pthread_cond_signal(&l->opened); //@signal
    pthread_mutex_unlock(&l->mutex);
}

static void *run(void *arg) {
    struct runner *r = arg;

    latch_wait(r->start);
    pthread_mutex_lock(&finish_mutex);
    r->place = ++finished;
    pthread_mutex_unlock(&finish_mutex);
    return NULL;
}

int main(int argc, char **argv) {
    struct runner runners[MAX_RUNNERS];
    struct latch start;
    int n = MAX_RUNNERS;
    int places = 0;

    if (argc > 1)
        n = atoi(argv[1]);
    if (n < 1 || n > MAX_RUNNERS) {
        fprintf(stderr, "usage: %s [1-%d]\n", argv[0], MAX_RUNNERS);
        return 2;
    }
    latch_init(&start);
    for (int i = 0; i < n; i++) {
        runners[i].number = i;
        runners[i].start = &start;
        runners[i].place = 0;
        if (pthread_create(&runners[i].thread, NULL, run, &runners[i]) != 0)
            abort();
    }
    usleep(1000);
    latch_open(&start);
    for (int i = 0; i < n; i++) {
        pthread_join(runners[i].thread, NULL); //@join
        places += runners[i].place;
    }
    printf("%d runners, sum of places %d\n", n, places);
    return 0;
}
