/* unravel-corpus
 * title: the scanners count themselves out without the lock; they can do so, and signal, between the main thread's look and its wait
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, pfscan
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: look < leave, signal < wait
 * repair: predicate-loop, mutex, signal-wait
 * sizes: S 2 M 30 L 200
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

/* Lines of each file. */
#ifndef SIZE
#define SIZE 2
#endif

#define SCANNERS 2

/* What the scanners have in common. */
struct scan {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    atomic_int active; /* scanners that have not finished */
};

/* A thread that counts the lines of one file that contain the pattern. */
struct scanner {
    pthread_t thread;
    int first_line;
    int matches;
};

static struct scan scan = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, SCANNERS};

/* Every third line contains the pattern. */
static int line_matches(int line) {
    return line % 3 == 0;
}

static void scan_leave(struct scan *s) {
    atomic_fetch_sub(&s->active, 1);   //@leave
    pthread_cond_signal(&s->finished); //@signal
}

static void scan_wait(struct scan *s) {
    pthread_mutex_lock(&s->lock);
    while (s->active > 0)                          //@look
        pthread_cond_wait(&s->finished, &s->lock); //@wait
    pthread_mutex_unlock(&s->lock);
}

static void *scanner_main(void *arg) {
    struct scanner *self = arg;

    for (int i = 0; i < SIZE; i++)
        self->matches += line_matches(self->first_line + i);
    scan_leave(&scan);
    return NULL;
}

int main(void) {
    static struct scanner scanner[SCANNERS];
    int matches = 0;

    for (int i = 0; i < SCANNERS; i++) {
        scanner[i].first_line = i * SIZE;
        pthread_create(&scanner[i].thread, NULL, scanner_main, &scanner[i]);
    }
    scan_wait(&scan);
    for (int i = 0; i < SCANNERS; i++)
        matches += scanner[i].matches;
    printf("the pattern is found\n");
    return matches > 0 ? 0 : 1;
}
