/* unravel-corpus
 * title: main joins the worker before it frees the report
 * stands-for: a mistake C programmers make: a flag in place of a join, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct report {
    int rows;
    int milliseconds; /* how long the query took */
};

static void *query(void *arg) {
    struct report *r = arg;

    r->rows = 12;
    r->milliseconds = 7; //@late
    return NULL;
}

int main(void) {
    pthread_t worker;
    struct report *report = calloc(1, sizeof *report);

    pthread_create(&worker, NULL, query, report);
    pthread_join(worker, NULL);
    int rows = report->rows;
    free(report); //@free
    printf("%d rows\n", rows);
    return 0;
}
