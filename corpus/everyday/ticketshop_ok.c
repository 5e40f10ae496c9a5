/* unravel-corpus
 * title: a seller counts the free seats down under the lock, and sells after that
 * stands-for: an everyday program: a shop that sells tickets at several counters
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNTERS 5
#define SEATS 3

struct show {
    char title[24];
    pthread_mutex_t lock;
    int free;
    int sold;
};

struct counter {
    struct show *show;
    pthread_t thread;
    int tickets;
};

/* Prints the ticket; slow. */
static void print_ticket(const struct counter *c) {
    usleep(50);
    (void)c;
}

static int sell(struct counter *c) {
    struct show *s = c->show;

    pthread_mutex_lock(&s->lock);
    int seats = s->free;
    if (seats == 0) {
        pthread_mutex_unlock(&s->lock);
        return 0;
    }
    print_ticket(c);
    s->free = seats - 1;
    s->sold++;
    pthread_mutex_unlock(&s->lock);
    return 1;
}

static void *serve(void *arg) {
    struct counter *c = arg;

    if (sell(c))
        c->tickets++;
    return NULL;
}

int main(int argc, char **argv) {
    struct show show;
    struct counter counters[COUNTERS];

    memset(&show, 0, sizeof show);
    strncpy(show.title, argc > 1 ? argv[1] : "Hamlet", sizeof show.title - 1);
    show.free = SEATS;
    pthread_mutex_init(&show.lock, NULL);

    for (int i = 0; i < COUNTERS; i++) {
        counters[i].show = &show;
        counters[i].tickets = 0;
        if (pthread_create(&counters[i].thread, NULL, serve, &counters[i]) != 0) {
            perror("pthread_create");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < COUNTERS; i++)
        pthread_join(counters[i].thread, NULL);

    printf("%s: %d sold\n", show.title, show.sold);
    assert(show.sold <= SEATS);
    pthread_mutex_destroy(&show.lock);
    return 0;
}
