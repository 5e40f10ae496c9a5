/* unravel-corpus
 * title: a car parks whether it got a place or not
 * stands-for: sem_trywait, the result
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t places;
static atomic_int parked = 0;

static void *arrive(void *arg) {
    (void)arg;
    sem_trywait(&places);
    parked++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&places, 0, 1);
    pthread_create(&a, NULL, arrive, NULL);
    pthread_create(&b, NULL, arrive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(parked <= 1); //@check
    return 0;
}
