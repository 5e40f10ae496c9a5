/* unravel-corpus
 * title: the queue is always locked before the log
 * stands-for: a mistake C programmers make: two locks behind macros, taken in one order
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;

#define LOCK(what) pthread_mutex_lock(&what##_mutex)
#define UNLOCK(what) pthread_mutex_unlock(&what##_mutex)

static int queued = 3; /* jobs that wait, guarded by the queue's mutex */
static int lines;      /* of the log, guarded by the log's mutex */

/* Takes a job, and writes a line about it. */
static void *worker(void *arg) {
    LOCK(queue);
    queued--;
    LOCK(log);
    lines++;
    UNLOCK(log);
    UNLOCK(queue);
    return arg;
}

/* Begins a new log with a line about what still waits. */
static void *rotator(void *arg) {
    LOCK(queue);
    LOCK(log);
    lines = 0;
    if (queued > 0)
        lines = 1;
    UNLOCK(log);
    UNLOCK(queue);
    return arg;
}

int main(void) {
    pthread_t work, rotate;

    pthread_create(&work, NULL, worker, NULL);
    pthread_create(&rotate, NULL, rotator, NULL);
    pthread_join(work, NULL);
    pthread_join(rotate, NULL);
    printf("%d jobs wait\n", queued);
    return 0;
}
