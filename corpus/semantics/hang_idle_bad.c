/* unravel-corpus
 * title: main sleeps for ever while two cooks wait for each other's pan
 * stands-for: deadlock of kind (c): an idle thread does not hide a deadlock of semaphores
 * verdict: unsafe
 * property: deadlock
 * at: idle, other_a, other_b
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static sem_t pan, pot;
static atomic_int meals;

static void *fry(void *arg) {
    sem_wait(&pan);
    sem_wait(&pot); //@other_a
    meals++;
    sem_post(&pot);
    sem_post(&pan);
    return arg;
}

static void *boil(void *arg) {
    sem_wait(&pot);
    sem_wait(&pan); //@other_b
    meals++;
    sem_post(&pan);
    sem_post(&pot);
    return arg;
}

int main(void) {
    pthread_t one, two;
    sem_init(&pan, 0, 1);
    sem_init(&pot, 0, 1);
    pthread_create(&one, NULL, fry, NULL);
    pthread_create(&two, NULL, boil, NULL);
    for (;;)
        sleep(1); //@idle
}
