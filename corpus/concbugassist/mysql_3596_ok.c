/* unravel-corpus
 * title: the owner of a transaction drops its description after the status printer has used it
 * stands-for: ConcBugAssist, Table 1, mysql-3596, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* What a transaction is doing, in the words of the status report. */
enum activity {
    ACTIVITY_NONE,
    ACTIVITY_INSERTING,
    ACTIVITY_ROLLING_BACK,
};

struct transaction {
    int id;
    int *description; /* an activity, or NULL when there is nothing to report */
    int reports;      /* how often the transaction has been in the report */
    pthread_mutex_t lock;
    pthread_cond_t reported;
};

static struct transaction trx = {
    .id = 7,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .reported = PTHREAD_COND_INITIALIZER,
};

static int *describe(enum activity activity) {
    int *description = malloc(sizeof *description);

    if (description == NULL)
        abort();
    *description = activity;
    return description;
}

/* One line of the report; the address of the description stands for its text. */
static void report(struct transaction *t) {
    assert(t->description != NULL); //@print
    t->reports++;
}

/* Serves a client that asks for the state of the engine. */
static void *print_status(void *arg) {
    struct transaction *t = arg;

    pthread_mutex_lock(&t->lock);
    report(t);
    pthread_cond_signal(&t->reported);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* The transaction is over. */
static void *commit(void *arg) {
    struct transaction *t = arg;

    pthread_mutex_lock(&t->lock);
    while (t->reports == 0)
        pthread_cond_wait(&t->reported, &t->lock);
    free(t->description);
    t->description = NULL; //@clear
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

int main(void) {
    pthread_t printer, owner;

    trx.description = describe(ACTIVITY_INSERTING);
    pthread_create(&printer, NULL, print_status, &trx);
    pthread_create(&owner, NULL, commit, &trx);
    pthread_join(printer, NULL);
    pthread_join(owner, NULL);
    printf("transaction %d reported %d times\n", trx.id, trx.reports);
    return 0;
}
