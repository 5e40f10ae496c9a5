/* unravel-corpus
 * title: a courier tries again and again for a gate that the porter opens before it waits for the parcel
 * stands-for: a lock polled with trylock, whose holder will unlock it
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static sem_t parcel;

static void *courier(void *arg) {
    while (pthread_mutex_trylock(&gate) != 0)
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
    pthread_mutex_unlock(&gate);
    sem_wait(&parcel);
    pthread_join(thread, NULL);
    puts("delivered");
    return 0;
}
