/* unravel-corpus
 * title: the destructor frees the object that main still reads
 * stands-for: pthread_key_create, the moment of the destructor
 * verdict: unsafe
 * property: memory
 * at: read
 * pattern: use after free
 * orders: free < read
 * repair: signal-wait
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_key_t key;
static int *latest;
static sem_t published;

static void drop(void *value) {
    free(value); //@free
}

static void *measure(void *arg) {
    (void)arg;
    int *value = malloc(sizeof *value);
    *value = 20;
    pthread_setspecific(key, value);
    latest = value;
    sem_post(&published);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, drop);
    sem_init(&published, 0, 0);
    pthread_create(&t, NULL, measure, NULL);
    sem_wait(&published);
    int degrees = *latest; //@read
    pthread_join(t, NULL);
    return degrees == 20 ? 0 : 1;
}
