/* unravel-corpus
 * title: the first of a group takes the table only after it has left the gate
 * stands-for: Alves et al., Table 3, carter_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A database table, for an importer or for a reporter. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;  /* guards the counts */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER; /* held by the group inside */
static int importers, reporters;

static void *import(void *arg) {
    pthread_mutex_lock(&gate);     //@import_enter
    bool first = ++importers == 1; //@import_count
    pthread_mutex_unlock(&gate);
    if (first)
        pthread_mutex_lock(&table); //@import_table
    /* The rows are written here. */
    pthread_mutex_lock(&gate); //@import_gate
    importers--;
    if (importers == 0)
        pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&gate);
    return arg;
}

static void *report(void *arg) {
    pthread_mutex_lock(&gate);     //@report_enter
    bool first = ++reporters == 1; //@report_count
    pthread_mutex_unlock(&gate);
    if (first)
        pthread_mutex_lock(&table); //@report_table
    /* The rows are read here. */
    pthread_mutex_lock(&gate); //@report_gate
    reporters--;
    if (reporters == 0)
        pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&gate);
    return arg;
}

/* Takes part from the next release on. */
static void *vacuum(void *arg) {
    return arg;
}

/* Takes part from the next release on. */
static void *replicate(void *arg) {
    return arg;
}

int main(void) {
    void *(*const jobs[])(void *) = {import, report, vacuum, replicate};
    pthread_t workers[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&workers[i], NULL, jobs[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(workers[i], NULL);
    printf("%d importers, %d reporters\n", importers, reporters);
    return 0;
}
