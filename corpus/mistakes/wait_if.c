/* unravel-corpus
 * title: a worker that is woken takes a job without looking again whether there still is one
 * stands-for: a mistake C programmers make: a condition that is tested with if in place of while
 * verdict: unsafe
 * property: memory
 * at: take
 * pattern: order violation
 * orders: take < put; take < put, take < take
 * repair: predicate-loop, signal-wait
 */
#include <pthread.h>
#include <stddef.h>

#define JOBS 2

/* Jobs that wait, newest first. */
static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_filled = PTHREAD_COND_INITIALIZER;
static int queue[JOBS];
static int waiting;

static void queue_put(int job) {
    pthread_mutex_lock(&queue_lock);
    queue[waiting++] = job; //@put
    pthread_cond_signal(&queue_filled);
    pthread_mutex_unlock(&queue_lock);
}

static int queue_take(void) {
    pthread_mutex_lock(&queue_lock);
    if (waiting == 0) //@test
        pthread_cond_wait(&queue_filled, &queue_lock); //@wait
    int job = queue[--waiting]; //@take
    pthread_mutex_unlock(&queue_lock);
    return job;
}

static void *worker(void *arg) {
    int *done = arg;

    *done = queue_take();
    return NULL;
}

int main(void) {
    pthread_t workers[JOBS];
    int done[JOBS] = {0, 0};

    for (int i = 0; i < JOBS; i++)
        pthread_create(&workers[i], NULL, worker, &done[i]);
    queue_put(21);
    queue_put(21);
    for (int i = 0; i < JOBS; i++)
        pthread_join(workers[i], NULL);
    return done[0] == done[1] ? 0 : 1;
}
