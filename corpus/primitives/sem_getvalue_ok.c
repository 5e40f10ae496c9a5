/* unravel-corpus
 * title: the value of a semaphore, read when no other thread uses it
 * stands-for: sem_getvalue
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t places;

static void *park_and_leave(void *arg) {
    (void)arg;
    sem_wait(&places);
    sem_post(&places);
    sem_post(&places);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int value;
    sem_init(&places, 0, 1);
    pthread_create(&a, NULL, park_and_leave, NULL);
    pthread_create(&b, NULL, park_and_leave, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_getvalue(&places, &value);
    assert(value == 3);
    printf("%d places\n", value);
    return 0;
}
