/* unravel-corpus
 * title: courier and customer each test the locker once and wait once, and believe any wakeup
 * stands-for: a mistake C programmers make: a wait under an `if` on both sides
 * verdict: unsafe
 * property: deadlock
 * at: store, fetch
 * pattern: lost wakeup
 * orders: fetch < enter; stored < fetched; fetched < stored
 * repair: predicate-loop
 */
#include <pthread.h>
#include <stdio.h>

#define PARCELS 2

/* A parcel locker with one box. */
struct locker {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int full;
    int returns_open; /* a full box may be emptied into the return bin */
};

static struct locker locker = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0
};

static void locker_store(struct locker *l) {
    pthread_mutex_lock(&l->lock); //@enter
    if (l->full) {
        if (l->returns_open)
            l->full = 0;
        else
            pthread_cond_wait(&l->changed, &l->lock); //@store
    }
    l->full = 1;
    pthread_cond_signal(&l->changed); //@stored
    pthread_mutex_unlock(&l->lock);
}

static void locker_fetch(struct locker *l) {
    pthread_mutex_lock(&l->lock);
    if (!l->full)
        pthread_cond_wait(&l->changed, &l->lock); //@fetch
    l->full = 0;
    pthread_cond_signal(&l->changed); //@fetched
    pthread_mutex_unlock(&l->lock);
}

static void *courier(void *arg) {
    for (int i = 0; i < PARCELS; i++)
        locker_store(&locker);
    return arg;
}

int main(void) {
    pthread_t van;

    pthread_create(&van, NULL, courier, NULL);
    for (int i = 0; i < PARCELS; i++)
        locker_fetch(&locker);
    pthread_join(van, NULL);
    printf("%d parcels\n", PARCELS);
    return 0;
}
