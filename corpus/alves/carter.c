/* unravel-corpus
 * title: each group of users takes the table while it holds the gate; the holder needs the gate to leave
 * stands-for: Alves et al., Table 3, carter_bad
 * verdict: unsafe
 * property: deadlock
 * at: import_table, import_gate, report_table, report_gate
 * pattern: deadlock
 * orders: report_enter < import_enter, import_enter < report_gate; import_enter < report_enter, report_enter < import_gate
 * repair: widen, mutex, signal-wait
 * faulty-lines: import_count, report_count
 */
#include <pthread.h>
#include <stddef.h>

/* A database table: many importers may use it, or many reporters, but never both. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;  /* guards the counts */
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER; /* held by the group inside */
static int importers, reporters;

static void *import(void *arg) {
    pthread_mutex_lock(&gate); //@import_enter
    importers++;               //@import_count
    if (importers == 1)
        pthread_mutex_lock(&table); //@import_table
    pthread_mutex_unlock(&gate);
    /* The rows are written here. */
    pthread_mutex_lock(&gate); //@import_gate
    importers--;
    if (importers == 0)
        pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&gate);
    return arg;
}

static void *report(void *arg) {
    pthread_mutex_lock(&gate); //@report_enter
    reporters++;               //@report_count
    if (reporters == 1)
        pthread_mutex_lock(&table); //@report_table
    pthread_mutex_unlock(&gate);
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
    return 0;
}
