/* unravel-corpus
 * title: the result of trylock is ignored; the mutex of another thread gets unlocked
 * stands-for: pthread_mutex_trylock; pthread_mutex_unlock of a mutex held by another thread
 * verdict: unsafe
 * property: misuse
 * at: drop
 * pattern: atomicity violation
 * orders: take < try, try < release; take < drop, drop < release
 * repair: mutex, signal-wait, join
 */
#include <pthread.h>

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;
static int hits = 0, refreshes = 0;

static void *refresh(void *arg) {
    (void)arg;
    pthread_mutex_trylock(&cache); //@try
    refreshes++;
    pthread_mutex_unlock(&cache); //@drop
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, refresh, NULL);
    pthread_mutex_lock(&cache); //@take
    hits++;
    pthread_mutex_unlock(&cache); //@release
    pthread_join(t, NULL);
    return 0;
}
