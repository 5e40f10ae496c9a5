/* unravel-corpus
 * title: the signal comes before the wait and nothing remembers it
 * stands-for: pthread_cond_wait without a predicate: lost wakeup
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: signal < wait
 * repair: predicate-loop
 */
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;

static void *cook(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    pthread_cond_signal(&served); //@signal
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    pthread_cond_wait(&served, &table); //@wait
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    return 0;
}
