/* unravel-corpus
 * title: a worker lends its local variable and waits until it has been read
 * stands-for: the life of a thread's stack
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int *progress;
static sem_t published, read_done;

static void publish(int *where) {
    progress = where;
    sem_post(&published);
    sem_wait(&read_done);
}

static void *work(void *arg) {
    (void)arg;
    int percent = 50;
    publish(&percent);
    return NULL;
}

int main(void) {
    pthread_t worker;
    sem_init(&published, 0, 0);
    sem_init(&read_done, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    sem_wait(&published);
    int seen = *progress;
    sem_post(&read_done);
    pthread_join(worker, NULL);
    assert(seen == 50);
    printf("%d percent\n", seen);
    return 0;
}
