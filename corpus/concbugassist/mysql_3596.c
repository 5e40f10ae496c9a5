/* unravel-corpus
 * title: the status printer needs the description of a transaction that its owner has already dropped
 * stands-for: ConcBugAssist, Table 1, mysql-3596
 * verdict: unsafe
 * property: reach
 * at: print
 * pattern: order violation
 * orders: clear < print
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>
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
};

static struct transaction trx = {.id = 7};

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
    report(arg);
    return NULL;
}

/* The transaction is over. */
static void *commit(void *arg) {
    struct transaction *t = arg;

    free(t->description);
    t->description = NULL; //@clear
    return NULL;
}

int main(void) {
    pthread_t printer, owner;

    trx.description = describe(ACTIVITY_INSERTING);
    pthread_create(&printer, NULL, print_status, &trx);
    pthread_create(&owner, NULL, commit, &trx);
    pthread_exit(NULL);
}
