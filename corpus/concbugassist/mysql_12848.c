/* unravel-corpus
 * title: a query cache is resized in two critical sections; between them it has a size but no blocks
 * stands-for: ConcBugAssist, Table 1, mysql-12848
 * verdict: unsafe
 * property: reach
 * at: ready
 * pattern: atomicity violation
 * orders: publish < test, ready < allocate
 * repair: widen, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define OLD_SIZE 2
#define NEW_SIZE 4
#define MAX_SIZE 4

#define FREE_BLOCK (-1)

/* Results of queries, by the number of the query. */
struct query_cache {
    pthread_mutex_t guard;
    int size;   /* blocks in the cache; 0 when it is switched off */
    bool ready; /* the blocks are allocated */
    int query[MAX_SIZE];
    int used;
};

static struct query_cache cache;

/* Makes the blocks of a cache whose size is set. */
static void allocate_blocks(struct query_cache *c) {
    for (int i = 0; i < c->size; i++)
        c->query[i] = FREE_BLOCK;
    c->used = 0;
    c->ready = true; //@allocate
}

/* Drops all results and switches the cache off. */
static void free_blocks(struct query_cache *c) {
    c->used = 0;
    c->size = 0;
    c->ready = false;
}

static void cache_init(struct query_cache *c, int size) {
    pthread_mutex_init(&c->guard, NULL);
    c->size = size;
    allocate_blocks(c);
}

static void cache_destroy(struct query_cache *c) {
    pthread_mutex_destroy(&c->guard);
}

/* Called when the administrator sets a new size; 0 switches the cache off. */
static void cache_resize(struct query_cache *c, int size) {
    pthread_mutex_lock(&c->guard);
    free_blocks(c);
    pthread_mutex_unlock(&c->guard);

    c->size = size; //@publish
    if (size == 0)
        return;

    pthread_mutex_lock(&c->guard);
    allocate_blocks(c);
    pthread_mutex_unlock(&c->guard);
}

/* Puts a query into the next block. */
static void insert_query(struct query_cache *c, int query) {
    assert(c->ready); //@ready
    if (c->used < c->size) {
        c->query[c->used] = query;
        c->used++;
    }
}

/* Called at the end of a query, to keep its result. */
static void cache_store(struct query_cache *c, int query) {
    pthread_mutex_lock(&c->guard);
    if (c->size != 0) //@test
        insert_query(c, query);
    pthread_mutex_unlock(&c->guard);
}

/* The administrator's connection. */
static void *set_cache_size(void *arg) {
    cache_resize(arg, NEW_SIZE);
    return NULL;
}

/* The main thread serves a client. */
int main(void) {
    pthread_t admin;

    cache_init(&cache, OLD_SIZE);
    pthread_create(&admin, NULL, set_cache_size, &cache);
    cache_store(&cache, 17);
    pthread_join(admin, NULL);
    cache_destroy(&cache);
    return 0;
}
