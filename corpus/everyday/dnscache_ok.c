/* unravel-corpus
 * title: an entry of the cache is linked when it is complete
 * stands-for: an everyday program: a cache in front of something slow, read without a lock
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct entry {
    const char *host;
    char *address;
    struct entry *next;
};

/* Entries are added at the front and never removed, so readers need no lock. */
static struct entry *_Atomic cache;
static pthread_mutex_t cache_lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *cache_find(const char *host) {
    struct entry *e = cache;

    while (e != NULL && strcmp(e->host, host) != 0)
        e = e->next;
    return e;
}

/* Asks the network; here, makes something up. */
static char *resolve(const char *host) {
    char *address = malloc(16);

    if (address == NULL)
        abort();
    usleep(1000);
    snprintf(address, 16, "10.0.0.%d", host[0] - 'a');
    return address;
}

static struct entry *lookup(const char *host) {
    struct entry *e = cache_find(host);

    if (e != NULL)
        return e;
    pthread_mutex_lock(&cache_lock);
    e = cache_find(host); /* somebody else may have been faster */
    if (e == NULL) {
        e = calloc(1, sizeof *e);
        if (e == NULL)
            abort();
        e->host = host;
        e->next = cache;
        e->address = resolve(host);
        cache = e;
    }
    pthread_mutex_unlock(&cache_lock);
    return e;
}

static void *browser(void *arg) {
    const char *host = arg;
    struct entry *e = lookup(host);
    size_t length = strlen(e->address);

    return (void *)length;
}

int main(void) {
    pthread_t tabs[2];
    void *length;
    size_t total = 0;

    for (int i = 0; i < 2; i++) {
        if (pthread_create(&tabs[i], NULL, browser, "example.org") != 0)
            return 1;
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(tabs[i], &length);
        total += (size_t)length;
    }
    printf("%s is %s (%zu)\n", cache->host, cache->address, total);
    return 0;
}
