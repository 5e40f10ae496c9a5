/* unravel-corpus
 * title: a counter is looked up and registered in one critical section
 * stands-for: an everyday program: a registry of metrics
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_METRICS 8
#define THREADS 5

struct metric {
    char name[12];
    int value;
};

static struct {
    pthread_mutex_t lock;
    struct metric all[MAX_METRICS];
    int used;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held. */
static struct metric *find(const char *name) {
    for (int i = 0; i < registry.used; i++) {
        if (strcmp(registry.all[i].name, name) == 0)
            return &registry.all[i];
    }
    return NULL;
}

static struct metric *metric_named(const char *name) {
    struct metric *m;

    pthread_mutex_lock(&registry.lock);
    m = find(name);
    if (m != NULL) {
        pthread_mutex_unlock(&registry.lock);
        return m;
    }
    m = &registry.all[registry.used++];
    strcpy(m->name, name);
    m->value = 0;
    pthread_mutex_unlock(&registry.lock);
    return m;
}

static void metric_increase(const char *name) {
    struct metric *m = metric_named(name);

    pthread_mutex_lock(&registry.lock);
    m->value++;
    pthread_mutex_unlock(&registry.lock);
}

static void *handler(void *arg) {
    metric_increase(arg);
    return NULL;
}

int main(void) {
    static const char *const paths[THREADS] = {"hits", "gets", "hits", "puts", "hits"};
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, handler, (void *)paths[i]) != 0)
            abort();
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    int hits = find("hits")->value;
    printf("hits: %d\n", hits);
    assert(hits == 3);
    return 0;
}
