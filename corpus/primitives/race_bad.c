/* unravel-corpus
 * title: two threads store the same value without synchronization
 * stands-for: data race, no assertion
 * verdict: unsafe
 * property: race
 * at: store
 * flags: --races
 * pattern: data race
 * repair: atomic, mutex
 */
#include <pthread.h>

static int last_seen = 0;

static void *see(void *arg) {
    (void)arg;
    last_seen = 1; //@store
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, see, NULL);
    pthread_create(&b, NULL, see, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
