/* unravel-corpus
 * title: two threads see one free place; the second one to take it waits forever
 * stands-for: sem_getvalue, acted upon later
 * verdict: unsafe
 * property: deadlock
 * at: take
 * pattern: atomicity violation
 * orders: look < look, take < take; look < look, look < take
 * repair: mutex, signal-wait, join
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t places;

static void *park(void *arg) {
    (void)arg;
    int free_places;
    sem_getvalue(&places, &free_places); //@look
    if (free_places > 0)
        sem_wait(&places); //@take
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&places, 0, 1);
    pthread_create(&a, NULL, park, NULL);
    pthread_create(&b, NULL, park, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
