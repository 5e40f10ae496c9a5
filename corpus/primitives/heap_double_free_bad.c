/* unravel-corpus
 * title: two cleaners free the same cache
 * stands-for: free, twice
 * verdict: unsafe
 * property: memory
 * at: free
 * pattern: atomicity violation
 * orders: test < clear, test < clear; free < clear, free < free
 * repair: mutex
 */
#include <pthread.h>
#include <stdlib.h>

static char *cache;

static void *clean(void *arg) {
    (void)arg;
    if (cache != NULL) { //@test
        free(cache);     //@free
        cache = NULL;    //@clear
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    cache = malloc(8);
    pthread_create(&a, NULL, clean, NULL);
    pthread_create(&b, NULL, clean, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
