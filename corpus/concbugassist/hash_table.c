/* unravel-corpus
 * title: two threads append to one bucket of a sequential hash set; one entry is unlinked by the other
 * stands-for: ConcBugAssist, Table 1, hash_table
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: scan < link, scan < link; link < link, scan < link
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define BUCKETS 4

/* An entry in the list of its bucket. */
struct entry {
    int key;
    struct entry *next;
};

/* A set of keys, hashed into a fixed number of buckets. */
struct hash_set {
    struct entry *bucket[BUCKETS];
    size_t size;
};

/* A thread that puts one key into a set. */
struct adder {
    pthread_t thread;
    struct hash_set *set;
    int key;
};

static struct entry *entry_new(int key) {
    struct entry *e = malloc(sizeof *e);

    if (e == NULL)
        abort();
    e->key = key;
    e->next = NULL;
    return e;
}

/* The head of the list that a key belongs into. */
static struct entry **hash_set_bucket(struct hash_set *set, int key) {
    return &set->bucket[(unsigned)key % BUCKETS];
}

static bool hash_set_contains(struct hash_set *set, int key) {
    for (struct entry *e = *hash_set_bucket(set, key); e != NULL; e = e->next)
        if (e->key == key)
            return true;
    return false;
}

/* Adds a key at the end of its bucket; returns whether it is new. */
static bool hash_set_add(struct hash_set *set, int key) {
    struct entry **link = hash_set_bucket(set, key);
    struct entry *e;

    while ((e = *link) != NULL) { //@scan
        if (e->key == key)
            return false;
        link = &e->next;
    }
    *link = entry_new(key); //@link
    set->size++;
    return true;
}

static void *adder_main(void *arg) {
    struct adder *self = arg;

    hash_set_add(self->set, self->key);
    return NULL;
}

static void adder_start(struct adder *a, struct hash_set *set, int key) {
    a->set = set;
    a->key = key;
    pthread_create(&a->thread, NULL, adder_main, a);
}

static void adder_wait(struct adder *a) {
    pthread_join(a->thread, NULL);
}

int main(void) {
    static struct hash_set set;
    static struct adder first, second;

    /* 3 and 7 belong into the same bucket. */
    adder_start(&first, &set, 3);
    adder_start(&second, &set, 7);
    adder_wait(&first);
    adder_wait(&second);
    assert(hash_set_contains(&set, 3) && hash_set_contains(&set, 7)); //@check
    return 0;
}
