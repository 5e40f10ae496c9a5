/* unravel-corpus
 * title: two cleaners test, free and clear under a mutex
 * stands-for: free, once
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *cache;

static void *clean(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (cache != NULL) {
        free(cache);
        cache = NULL;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    cache = malloc(8);
    pthread_create(&a, NULL, clean, NULL);
    pthread_create(&b, NULL, clean, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(cache == NULL);
    printf("clean\n");
    return 0;
}
