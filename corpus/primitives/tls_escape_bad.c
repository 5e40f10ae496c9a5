/* unravel-corpus
 * title: main reads a thread-local variable of a thread that may have ended
 * stands-for: _Thread_local, its life
 * verdict: unsafe
 * property: memory
 * at: read
 * pattern: use after free
 * orders: end < read
 * repair: signal-wait
 */
#include <pthread.h>
#include <semaphore.h>

static _Thread_local int progress;
static int *watched;
static sem_t published;

static void *work(void *arg) {
    (void)arg;
    progress = 50;
    watched = &progress;
    sem_post(&published);
    return NULL; //@end
}

int main(void) {
    pthread_t t;
    sem_init(&published, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_wait(&published);
    int percent = *watched; //@read
    pthread_join(t, NULL);
    return percent == 100;
}
