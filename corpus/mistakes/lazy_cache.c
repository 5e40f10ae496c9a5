/* unravel-corpus
 * title: the cached size is marked as valid before it is computed; a second request trusts the mark
 * stands-for: a mistake C programmers make: a lazy cache whose mark is set before its value
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: mark < test, use < store
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* A directory whose size takes long to compute and is kept. */
struct directory {
    int files;
    bool size_known;
    int size;
};

static struct directory home = {.files = 3};

static int directory_size(struct directory *d) {
    if (!d->size_known) {         //@test
        d->size_known = true;     //@mark
        d->size = d->files * 100; //@store
    }
    return d->size; //@use
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
    return 0;
}
