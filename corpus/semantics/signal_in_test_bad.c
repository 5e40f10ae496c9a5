/* unravel-corpus
 * title: a wakeup without a signal, and the real signal comes between the test and the next wait
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: deadlock
 * at: wait, join
 * pattern: lost wakeup
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t kitchen = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static sem_t seated;
static int soup;

static void *guest(void *arg) {
    pthread_mutex_lock(&kitchen);
    sem_post(&seated);
    while (!soup)
        pthread_cond_wait(&served, &kitchen); //@wait
    pthread_mutex_unlock(&kitchen);
    return arg;
}

int main(void) {
    pthread_t thread;

    sem_init(&seated, 0, 0);
    pthread_create(&thread, NULL, guest, NULL);
    sem_wait(&seated);
    pthread_mutex_lock(&kitchen);
    pthread_mutex_unlock(&kitchen);
    soup = 1;
    pthread_cond_signal(&served);
    pthread_join(thread, NULL); //@join
    return 0;
}
