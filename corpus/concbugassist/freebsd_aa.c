/* unravel-corpus
 * title: main does not wait for the three auditors and requires exactly two arguments, which holds only for a moment (the check is at fault)
 * stands-for: ConcBugAssist, Table 1, freebsd-aa
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < add, check < add; add < check, add < check, add < check; add < add, add < add
 * repair: none
 * differs: exactly two of three equal threads would have to come before the check; nothing tells them apart, so no order of statements says which
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define ARGS_LIMIT 3

/* What the kernel notes about the system call in progress. */
struct audit_record {
    int event;
    uint8_t argc; /* arguments attached so far */
};

/* A thread of the kernel that audits one argument. */
struct auditor {
    pthread_t thread;
    struct audit_record *record;
};

static struct audit_record record;

static void audit_begin(struct audit_record *ar, int event) {
    ar->event = event;
    ar->argc = 0;
}

/* Attaches one more argument, unless the record is full. */
static void audit_arg(struct audit_record *ar) {
    if (ar->argc > ARGS_LIMIT - 1) //@test
        return;
    ar->argc += 1; //@add
}

static void *auditor_main(void *arg) {
    struct auditor *self = arg;

    audit_arg(self->record);
    return NULL;
}

static void auditor_start(struct auditor *a, struct audit_record *ar) {
    a->record = ar;
    pthread_create(&a->thread, NULL, auditor_main, a);
}

/* Closes the record; its two mandatory arguments have to be there. */
static void audit_commit(const struct audit_record *ar) {
    assert(ar->argc == 2); //@check
}

int main(void) {
    static struct auditor path, mode, owner;

    audit_begin(&record, 5);
    auditor_start(&path, &record);
    auditor_start(&mode, &record);
    auditor_start(&owner, &record);

    audit_commit(&record);
    return 0;
}
