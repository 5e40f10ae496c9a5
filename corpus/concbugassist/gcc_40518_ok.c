/* unravel-corpus
 * title: a shared representation is tested and cleared under its lock
 * stands-for: ConcBugAssist, Table 1, gcc-40518, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* The header in front of the characters of a string. */
struct rep {
    pthread_mutex_t lock; /* guards the rest */
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

static struct rep shared_rep = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .length = 1,
    .capacity = 1,
    .refs = 1,
};

/* Clears a representation; returns its length. The caller holds the lock. */
static size_t rep_clear(struct rep *r) {
    if (r->length == 0)
        return 0;

    size_t length = r->length;
    r->length = 0;
    assert(length != 0);
    r->capacity = 0;
    r->refs = 0;
    return length;
}

/* Erases the whole string in place; returns how many characters that was. */
static size_t string_erase(struct string *s) {
    struct rep *r = s->rep;

    pthread_mutex_lock(&r->lock);
    size_t length = rep_clear(r);
    pthread_mutex_unlock(&r->lock);
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
    assert(first.erased + second.erased == 1);
    printf("erased %zu character(s)\n", first.erased + second.erased);
    return 0;
}
