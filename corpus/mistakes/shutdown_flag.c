/* unravel-corpus
 * title: the flusher tests the stop flag, then waits; the flag goes up in between and the signal finds nobody
 * stands-for: a mistake C programmers make: an atomic flag that is tested outside the mutex of the wait
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: test < raise, signal < wait
 * repair: widen, join, signal-wait
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* A thread that writes the log to the disk whenever it is woken. */
struct flusher {
    pthread_mutex_t lock;
    pthread_cond_t work;
    atomic_bool stop;
    bool flushed;
};

static struct flusher flusher = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
};

static void *flusher_run(void *arg) {
    struct flusher *f = arg;

    while (!f->stop) { //@test
        pthread_mutex_lock(&f->lock);
        pthread_cond_wait(&f->work, &f->lock); //@wait
        f->flushed = true;
        pthread_mutex_unlock(&f->lock);
    }
    return NULL;
}

static void flusher_stop(struct flusher *f) {
    f->stop = true; //@raise
    pthread_cond_signal(&f->work); //@signal
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, flusher_run, &flusher);
    flusher_stop(&flusher);
    pthread_join(thread, NULL);
    return 0;
}
