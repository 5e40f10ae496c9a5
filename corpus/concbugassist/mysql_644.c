/* unravel-corpus
 * title: a join reads its fields while a field is marked invalid for a moment
 * stands-for: ConcBugAssist, Table 1, mysql-644
 * verdict: unsafe
 * property: reach
 * at: usable
 * pattern: atomicity violation
 * orders: mark < usable, usable < unmark
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define FIELDS 2
#define RECORD_SIZE 12

/* Whether a field belongs to the query that is executed. */
#define FIELD_VALID 'v'
#define FIELD_INVALID 'i'

/* A column of a table. */
struct field {
    const char *name;
    size_t length; /* bytes that its value takes in a record */
    char state;
};

struct table {
    const char *name;
    struct field field[FIELDS];
};

/* Where a field's value is to be found in the records of the join cache. */
struct cache_field {
    size_t offset;
    size_t length;
};

/* The layout of the rows that a join keeps in memory. */
struct join_cache {
    struct cache_field field[FIELDS];
    int fields;
    size_t record_length;
};

static struct table orders = {
    .name = "orders",
    .field = {
        {.name = "customer", .length = 8, .state = FIELD_VALID},
        {.name = "amount", .length = 4, .state = FIELD_VALID},
    },
};

static struct join_cache cache;

static void cache_init(struct join_cache *c) {
    c->fields = 0;
    c->record_length = 0;
}

/* Appends a field to the records of the cache. */
static void cache_add(struct join_cache *c, const struct field *f) {
    struct cache_field *slot = &c->field[c->fields];

    slot->offset = c->record_length;
    slot->length = f->length;
    c->record_length += f->length;
    c->fields++;
}

/*
 * Lays out a record of all fields of the table. There is one slot per field,
 * so a field that is left out would leave the last slot without a value.
 */
static void plan_join(struct join_cache *c, struct table *t) {
    cache_init(c);
    for (int i = 0; i < FIELDS; i++) {
        assert(t->field[i].state != FIELD_INVALID); //@usable
        cache_add(c, &t->field[i]);
    }
}

/* A client joins the table with another one. */
static void *run_join(void *arg) {
    plan_join(&cache, arg);
    return NULL;
}

/* Gives a field to another query, which computes it anew. */
static void refresh_field(struct field *f) {
    f->state = FIELD_INVALID; //@mark
    f->state = FIELD_VALID;   //@unmark
}

/* Another client's query changes the amounts. */
static void *run_update(void *arg) {
    struct table *t = arg;

    refresh_field(&t->field[1]);
    return NULL;
}

int main(void) {
    pthread_t join, update;

    pthread_create(&join, NULL, run_join, &orders);
    pthread_create(&update, NULL, run_update, &orders);
    pthread_join(join, NULL);
    pthread_join(update, NULL);
    return cache.record_length == RECORD_SIZE ? 0 : 1;
}
