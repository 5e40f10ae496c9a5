/* unravel-corpus
 * title: two resolvers look for a name under the lock, miss it, and both add it under the lock
 * stands-for: a mistake C programmers make: check, then act, in two locked calls
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: look < add, look < add; add < add, add < look
 * repair: widen, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define NAMES 4

/* Names that are resolved, each of them once. Every function takes the lock. */
struct cache {
    pthread_mutex_t lock;
    int names[NAMES];
    int count;
};

static struct cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool cache_has(struct cache *c, int name) {
    bool found = false;

    pthread_mutex_lock(&c->lock);
    for (int i = 0; i < c->count; i++) //@look
        found = found || c->names[i] == name;
    pthread_mutex_unlock(&c->lock);
    return found;
}

static void cache_add(struct cache *c, int name) {
    pthread_mutex_lock(&c->lock);
    c->names[c->count] = name;
    c->count++; //@add
    pthread_mutex_unlock(&c->lock);
}

static void *resolve(void *arg) {
    struct cache *c = arg;

    if (!cache_has(c, 53))
        cache_add(c, 53);
    return NULL;
}

int main(void) {
    pthread_t mail, web;

    pthread_create(&mail, NULL, resolve, &cache);
    pthread_create(&web, NULL, resolve, &cache);
    pthread_join(mail, NULL);
    pthread_join(web, NULL);
    assert(cache.count == 1); //@check
    return 0;
}
