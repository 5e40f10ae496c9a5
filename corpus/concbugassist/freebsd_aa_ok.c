/* unravel-corpus
 * title: arguments are attached under the lock of the record, and main waits for all three auditors
 * stands-for: ConcBugAssist, Table 1, freebsd-aa, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define ARGS_LIMIT 3

/* What the kernel notes about the system call in progress. */
struct audit_record {
    pthread_mutex_t lock; /* guards argc */
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
    pthread_mutex_init(&ar->lock, NULL);
    ar->event = event;
    ar->argc = 0;
}

/* Attaches one more argument, unless the record is full. */
static void audit_arg(struct audit_record *ar) {
    pthread_mutex_lock(&ar->lock);
    if (ar->argc < ARGS_LIMIT)
        ar->argc += 1;
    pthread_mutex_unlock(&ar->lock);
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

static void auditor_wait(struct auditor *a) {
    pthread_join(a->thread, NULL);
}

/* Closes the record; every auditor has attached its argument by now. */
static void audit_commit(struct audit_record *ar) {
    assert(ar->argc == ARGS_LIMIT);
    pthread_mutex_destroy(&ar->lock);
}

int main(void) {
    static struct auditor path, mode, owner;

    audit_begin(&record, 5);
    auditor_start(&path, &record);
    auditor_start(&mode, &record);
    auditor_start(&owner, &record);

    auditor_wait(&path);
    auditor_wait(&mode);
    auditor_wait(&owner);
    audit_commit(&record);
    printf("event %d: %d arguments\n", record.event, record.argc);
    return 0;
}
