/* unravel-corpus
 * title: a worker publishes the address of its local variable and ends
 * stands-for: the life of a thread's stack
 * verdict: unsafe
 * property: memory
 * at: read
 * pattern: use after free
 * orders: end < read
 * repair: signal-wait
 */
#include <pthread.h>
#include <semaphore.h>

static int *progress;
static sem_t published;

static void publish(int *where) {
    progress = where;
    sem_post(&published);
}

static void *work(void *arg) {
    (void)arg;
    int percent = 50;
    publish(&percent);
    return NULL; //@end
}

int main(void) {
    pthread_t worker;
    sem_init(&published, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    sem_wait(&published);
    int seen = *progress; //@read
    pthread_join(worker, NULL);
    return seen == 50 ? 0 : 1;
}
