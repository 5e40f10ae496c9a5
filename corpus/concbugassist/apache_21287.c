/* unravel-corpus
 * title: two workers drop the last two references of a cached page, then both see zero and both free it
 * stands-for: ConcBugAssist, Table 1, apache-21287
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: drop < test, drop < test; drop < drop, drop < test
 * repair: atomic, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A page in the memory cache. It lives as long as somebody holds a reference. */
struct cache_object {
    const char *key;
    size_t length;
    atomic_int refcount;
};

/* What a worker serves, and whether it was the one to free it. */
struct worker {
    struct cache_object *object;
    size_t sent;
    bool freed;
};

static void cache_object_init(struct cache_object *object, const char *key,
                              size_t length, int references) {
    object->key = key;
    object->length = length;
    atomic_init(&object->refcount, references);
}

/* Gives up one reference; returns whether the caller has to free the object. */
static bool cache_object_release(struct cache_object *object) {
    atomic_fetch_sub(&object->refcount, 1);      //@drop
    return atomic_load(&object->refcount) == 0;  //@test
}

/* Answers one request from the cache. */
static void *serve(void *arg) {
    struct worker *self = arg;

    self->sent = self->object->length;
    if (cache_object_release(self->object))
        self->freed = true;
    return NULL;
}

int main(void) {
    struct cache_object page;
    cache_object_init(&page, "/index.html", 1456, 2);

    struct worker first = {.object = &page};
    struct worker second = {.object = &page};
    pthread_t a, b;
    pthread_create(&a, NULL, serve, &first);
    pthread_create(&b, NULL, serve, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);

    assert(!(first.freed && second.freed)); //@check
    return 0;
}
