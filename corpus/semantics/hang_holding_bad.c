/* unravel-corpus
 * title: main polls for the sensor's first sample while it holds the lock that the sensor needs to store it
 * stands-for: deadlock of kind (c): one thread waits for a lock whose holder spins
 * verdict: unsafe
 * property: deadlock
 * at: poll, store
 * pattern: deadlock
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static atomic_int samples;

static void *sensor(void *arg) {
    pthread_mutex_lock(&table); //@store
    samples = 1;
    pthread_mutex_unlock(&table);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sensor, NULL);
    pthread_mutex_lock(&table);
    while (samples == 0) //@poll
        ;
    pthread_mutex_unlock(&table);
    pthread_join(thread, NULL);
    return 0;
}
