/* unravel-corpus
 * title: the reader of a chain of records unlocks one before it has locked the next, which is cut off and freed
 * stands-for: a mistake C programmers make: hand-over-hand locking that lets go too early
 * verdict: unsafe
 * property: memory
 * at: grip, value, release
 * pattern: atomicity violation
 * orders: step < cut, free < grip
 * repair: widen, mutex, join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

struct record {
    pthread_mutex_t lock;
    struct record *next;
    int value;
};

static struct record *record_new(int value, struct record *next) {
    struct record *r = malloc(sizeof *r);

    pthread_mutex_init(&r->lock, NULL);
    r->next = next;
    r->value = value;
    return r;
}

/* The value of the second record, or 0 if there is none. */
static void *read_second(void *arg) {
    struct record *first = arg;
    int value = 0;

    pthread_mutex_lock(&first->lock);
    struct record *second = first->next; //@step
    pthread_mutex_unlock(&first->lock);
    if (second != NULL) {
        pthread_mutex_lock(&second->lock); //@grip
        value = second->value;             //@value
        pthread_mutex_unlock(&second->lock); //@release
    }
    first->value += value;
    return NULL;
}

static void cut_second(struct record *first) {
    pthread_mutex_lock(&first->lock);
    struct record *second = first->next;
    pthread_mutex_lock(&second->lock);
    first->next = NULL; //@cut
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    free(second); //@free
}

int main(void) {
    pthread_t reader;
    struct record *first = record_new(1, record_new(2, NULL));

    pthread_create(&reader, NULL, read_second, first);
    cut_second(first);
    pthread_join(reader, NULL);
    free(first);
    return 0;
}
