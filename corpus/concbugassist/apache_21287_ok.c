/* unravel-corpus
 * title: the result of the decrement decides which of the two workers frees the cached page
 * stands-for: ConcBugAssist, Table 1, apache-21287, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
    return atomic_fetch_sub(&object->refcount, 1) == 1;
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

    assert(!(first.freed && second.freed));
    printf("%s freed %d time(s)\n", page.key, first.freed + second.freed);
    return 0;
}
