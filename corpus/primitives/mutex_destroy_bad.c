/* unravel-corpus
 * title: main destroys the mutex while the worker may still hold it
 * stands-for: pthread_mutex_destroy of a mutex in use
 * verdict: unsafe
 * property: misuse
 * at: destroy
 * pattern: atomicity violation
 * orders: destroy < leave
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t m;
static sem_t done;
static int jobs = 1;

static void *work(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    jobs--;
    sem_post(&done);
    pthread_mutex_unlock(&m); //@leave
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&m, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&done);
    pthread_mutex_destroy(&m); //@destroy
    pthread_join(t, NULL);
    return 0;
}
