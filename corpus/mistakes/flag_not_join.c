/* unravel-corpus
 * title: main frees the report when the worker says it is ready, but the worker is not through with it
 * stands-for: a mistake C programmers make: a flag in place of a join
 * verdict: unsafe
 * property: memory
 * at: late
 * pattern: atomicity violation
 * orders: free < late
 * repair: move, mutex, signal-wait, join
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

struct report {
    int rows;
    int milliseconds; /* how long the query took */
};

static atomic_bool ready;

static void *query(void *arg) {
    struct report *r = arg;

    r->rows = 12;
    ready = true; //@ready
    r->milliseconds = 7; //@late
    return NULL;
}

int main(void) {
    pthread_t worker;
    struct report *report = calloc(1, sizeof *report);

    pthread_create(&worker, NULL, query, report);
    while (!ready)
        sched_yield();
    int rows = report->rows;
    free(report); //@free
    pthread_join(worker, NULL);
    return rows == 12 ? 0 : 1;
}
