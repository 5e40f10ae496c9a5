/* unravel-corpus
 * title: the library's atomic add is a plain read and write; two threads lose references of a shared string
 * stands-for: ConcBugAssist, Table 1, gcc-3584
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read < write, read < write; read < write, write < write
 * repair: atomic, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef uint8_t atomic_word;

/* The representation of a string, shared by all its copies. */
struct string_rep {
    const char *text;
    atomic_word refs; /* copies, not counting the original */
};

/* A thread that makes some copies of a string. */
struct copier {
    pthread_t thread;
    struct string_rep *rep;
    atomic_word copies;
};

/* What the target provides for reference counts. Returns the old value. */
static atomic_word exchange_and_add(atomic_word *word, atomic_word amount) {
    atomic_word old = *word;             //@read
    *word = (atomic_word)(old + amount); //@write
    return old;
}

static void string_share(struct string_rep *rep, atomic_word copies) {
    exchange_and_add(&rep->refs, copies);
}

static void *copier_main(void *arg) {
    struct copier *self = arg;

    string_share(self->rep, self->copies);
    return NULL;
}

static void copier_start(struct copier *c, struct string_rep *rep, atomic_word copies) {
    c->rep = rep;
    c->copies = copies;
    pthread_create(&c->thread, NULL, copier_main, c);
}

static void copier_wait(struct copier *c) {
    pthread_join(c->thread, NULL);
}

int main(void) {
    static struct string_rep greeting = {.text = "hello"};
    static struct copier first, second;

    copier_start(&first, &greeting, 2);
    copier_start(&second, &greeting, 2);
    copier_wait(&first);
    copier_wait(&second);
    assert(greeting.refs == 4); //@check
    return 0;
}
