/* unravel-corpus
 * title: a thread that cannot have the mutex at once does without
 * stands-for: pthread_mutex_trylock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static int refreshed = 0, skipped[2];

static void *refresh(void *arg) {
    int *skip = arg;
    int rc = pthread_mutex_trylock(&cache);
    if (rc == 0) {
        refreshed++;
        pthread_mutex_unlock(&cache);
    } else {
        assert(rc == EBUSY);
        *skip = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, refresh, &skipped[0]);
    pthread_create(&b, NULL, refresh, &skipped[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(refreshed >= 1);
    printf("%d in all\n", refreshed + skipped[0] + skipped[1]);
    return 0;
}
