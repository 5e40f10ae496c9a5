/* unravel-corpus
 * title: the gate is set up again while a guest already waits at it
 * stands-for: sem_init
 * verdict: unsafe
 * property: misuse
 * at: again
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;

static void *guest(void *arg) {
    sem_wait(&gate);
    return arg;
}

int main(void) {
    pthread_t t;
    sem_init(&gate, 0, 0);
    pthread_create(&t, NULL, guest, NULL);
    sem_init(&gate, 0, 1); //@again
    pthread_join(t, NULL);
    return 0;
}
