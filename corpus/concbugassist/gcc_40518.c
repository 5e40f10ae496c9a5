/* unravel-corpus
 * title: two threads erase strings that share one representation; one clears the length between the other's test and read
 * stands-for: ConcBugAssist, Table 1, gcc-40518
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < clear, clear < take
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

/* The header in front of the characters of a string. */
struct rep {
    size_t length;
    size_t capacity;
    int refs; /* owners besides the first */
};

/* A string is only a pointer to its representation. */
struct string {
    struct rep *rep;
};

/* A thread with its copy of the string. */
struct eraser {
    pthread_t thread;
    struct string copy;
    size_t erased;
};

static struct rep shared_rep = {.length = 1, .capacity = 1, .refs = 1};

/* Erases the whole string in place; returns how many characters that was. */
static size_t string_erase(struct string *s) {
    struct rep *r = s->rep;

    if (r->length == 0) //@test
        return 0;

    size_t length = r->length; //@take
    r->length = 0;             //@clear
    assert(length != 0);       //@check
    r->capacity = 0;
    r->refs = 0;
    return length;
}

static void *eraser_main(void *arg) {
    struct eraser *self = arg;

    self->erased = string_erase(&self->copy);
    return NULL;
}

static void eraser_start(struct eraser *e, struct rep *rep) {
    e->copy.rep = rep;
    pthread_create(&e->thread, NULL, eraser_main, e);
}

static void eraser_wait(struct eraser *e) {
    pthread_join(e->thread, NULL);
}

int main(void) {
    static struct eraser first, second;

    eraser_start(&first, &shared_rep);
    eraser_start(&second, &shared_rep);
    eraser_wait(&first);
    eraser_wait(&second);
    return 0;
}
