/* unravel-corpus
 * title: two threads store the same value under a mutex; main reads it after the joins
 * stands-for: data race, avoided by mutex, create and join
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int last_seen = 0;

static void *see(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    last_seen = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    last_seen = -1;
    pthread_create(&a, NULL, see, NULL);
    pthread_create(&b, NULL, see, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("last seen %d\n", last_seen);
    return 0;
}
