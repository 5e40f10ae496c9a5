/* unravel-corpus
 * title: the size is computed and marked under a lock
 * stands-for: a mistake C programmers make: a lazy cache whose mark is set before its value, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A directory whose size takes long to compute and is kept. */
struct directory {
    pthread_mutex_t lock;
    int files;
    bool size_known;
    int size;
};

static struct directory home = {.lock = PTHREAD_MUTEX_INITIALIZER, .files = 3};

static int directory_size(struct directory *d) {
    pthread_mutex_lock(&d->lock);
    if (!d->size_known) {         //@test
        d->size = d->files * 100; //@store
        d->size_known = true;     //@mark
    }
    int size = d->size; //@use
    pthread_mutex_unlock(&d->lock);
    return size;
}

static void *report(void *arg) {
    int size = directory_size(arg);

    assert(size == 300); //@check
    return NULL;
}

int main(void) {
    pthread_t quota, backup;

    pthread_create(&quota, NULL, report, &home);
    pthread_create(&backup, NULL, report, &home);
    pthread_join(quota, NULL);
    pthread_join(backup, NULL);
    printf("%d bytes\n", directory_size(&home));
    return 0;
}
