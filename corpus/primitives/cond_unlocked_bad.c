/* unravel-corpus
 * title: the flag is set without the mutex, between the guest's test and its wait
 * stands-for: pthread_cond_signal without the mutex: lost wakeup
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: test < set, signal < wait
 * repair: predicate-loop, mutex
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static atomic_int ready = 0;

static void *cook(void *arg) {
    (void)arg;
    ready = 1;                    //@set
    pthread_cond_signal(&served); //@signal
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    while (!ready)                          //@test
        pthread_cond_wait(&served, &table); //@wait
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    return 0;
}
