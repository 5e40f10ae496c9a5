/* unravel-corpus
 * title: a courier tries again and again for a gate that the porter keeps locked while it waits for the parcel
 * stands-for: deadlock of kind (c): a lock polled with trylock, held by a thread that waits
 * verdict: unsafe
 * property: deadlock
 * at: try, wait
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t parcel;

static void *courier(void *arg) {
    while (pthread_mutex_trylock(&gate) != 0) //@try
        sched_yield();
    sem_post(&parcel);
    pthread_mutex_unlock(&gate);
    return arg;
}

int main(void) {
    pthread_t thread;
    sem_init(&parcel, 0, 0);
    pthread_create(&thread, NULL, courier, NULL);
    pthread_mutex_lock(&gate);
    sem_wait(&parcel); //@wait
    pthread_mutex_unlock(&gate);
    pthread_join(thread, NULL);
    return 0;
}
