/* unravel-corpus
 * title: four readers look twice at settings that a reloader takes away in between; long loops of both
 * stands-for: the shape of crasher in the public Symbiosis tests: five threads, loops of 10 and 1,000 iterations
 * verdict: unsafe
 * property: reach
 * at: use
 * pattern: atomicity violation
 * repair: widen
 * turns: 1000
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define RELOADS 10
#define ENOUGH 1000

struct settings {
    int weight;
};

static struct settings versions[RELOADS + 1];
static struct settings *current = &versions[0];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *reload(void *arg) {
    for (int i = 1; i <= RELOADS; i++) {
        pthread_mutex_lock(&lock);
        current = NULL;
        pthread_mutex_unlock(&lock);
        versions[i].weight = 1;
        pthread_mutex_lock(&lock);
        current = &versions[i];
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static int weigh(void) {
    int weight = 0;
    pthread_mutex_lock(&lock);
    if (current != NULL) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        assert(current != NULL); //@use
        weight = current->weight;
    }
    pthread_mutex_unlock(&lock);
    return weight;
}

static void *serve(void *arg) {
    int sum = 0;
    while (sum < ENOUGH)
        sum += weigh();
    return arg;
}

int main(void) {
    pthread_t readers[4], reloader;
    versions[0].weight = 1;
    for (int i = 0; i < 4; i++)
        pthread_create(&readers[i], NULL, serve, NULL);
    pthread_create(&reloader, NULL, reload, NULL);
    pthread_join(reloader, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(readers[i], NULL);
    return 0;
}
