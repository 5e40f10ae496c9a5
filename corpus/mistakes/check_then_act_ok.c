/* unravel-corpus
 * title: looking for a name and adding it is one locked call
 * stands-for: a mistake C programmers make: check, then act, in two locked calls, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define NAMES 4

/* Names that are resolved, each of them once. */
struct cache {
    pthread_mutex_t lock;
    int names[NAMES];
    int count;
};

static struct cache cache = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Adds a name unless it is there. */
static void cache_ensure(struct cache *c, int name) {
    bool found = false;

    pthread_mutex_lock(&c->lock);
    for (int i = 0; i < c->count; i++) //@look
        found = found || c->names[i] == name;
    if (!found) {
        c->names[c->count] = name;
        c->count++; //@add
    }
    pthread_mutex_unlock(&c->lock);
}

static void *resolve(void *arg) {
    cache_ensure(arg, 53);
    return NULL;
}

int main(void) {
    pthread_t mail, web;

    pthread_create(&mail, NULL, resolve, &cache);
    pthread_create(&web, NULL, resolve, &cache);
    pthread_join(mail, NULL);
    pthread_join(web, NULL);
    assert(cache.count == 1); //@check
    printf("%d name\n", cache.count);
    return 0;
}
