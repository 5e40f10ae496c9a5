/* unravel-corpus
 * title: a string that was marked leaked for an iterator is destroyed before the iterator writes; each access alone is locked
 * stands-for: ConcBugAssist, Table 1, gcc-21334
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: leak < test, destroy < check; destroy < check
 * repair: widen, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define LEAKED (-1)

/* The representation of a reference-counted string. */
struct string_rep {
    pthread_mutex_t lock;
    int8_t refs;   /* owners besides the first, or LEAKED: an iterator exists */
    bool sharable; /* may a copy use the same representation? */
    bool destroyed;
    char data;
};

static struct string_rep rep = {.lock = PTHREAD_MUTEX_INITIALIZER, .data = 'a'};

static bool rep_is_sharable(struct string_rep *r) {
    pthread_mutex_lock(&r->lock);
    bool sharable = r->sharable;
    pthread_mutex_unlock(&r->lock);
    return sharable;
}

static void rep_add_owner(struct string_rep *r) {
    pthread_mutex_lock(&r->lock);
    r->refs += 1;
    pthread_mutex_unlock(&r->lock);
}

/* Lets an owner go. A leaked representation has no other owner and goes, too. */
static void rep_dispose(struct string_rep *r) {
    pthread_mutex_lock(&r->lock);
    bool unowned = r->refs < 0; //@test
    pthread_mutex_unlock(&r->lock);
    if (unowned) {
        pthread_mutex_lock(&r->lock);
        r->destroyed = true; //@destroy
        pthread_mutex_unlock(&r->lock);
    }
}

/* Makes sure that no later copy shares what an iterator points to. */
static void rep_leak(struct string_rep *r) {
    pthread_mutex_lock(&r->lock);
    r->refs = LEAKED; //@leak
    pthread_mutex_unlock(&r->lock);
}

static void rep_write(struct string_rep *r, char c) {
    pthread_mutex_lock(&r->lock);
    assert(!r->destroyed); //@check
    pthread_mutex_unlock(&r->lock);
    pthread_mutex_lock(&r->lock);
    r->data = c;
    pthread_mutex_unlock(&r->lock);
}

/* Copies the string and lets the copy go. */
static void *copy_and_drop(void *arg) {
    struct string_rep *r = arg;

    if (rep_is_sharable(r))
        rep_add_owner(r);
    rep_dispose(r);
    return NULL;
}

/* Changes the first character through an iterator. */
static void *write_by_iterator(void *arg) {
    struct string_rep *r = arg;

    rep_leak(r);
    rep_write(r, 'A');
    return NULL;
}

int main(void) {
    pthread_t copier, writer;

    pthread_create(&copier, NULL, copy_and_drop, &rep);
    pthread_create(&writer, NULL, write_by_iterator, &rep);
    pthread_join(copier, NULL);
    pthread_join(writer, NULL);
    return 0;
}
