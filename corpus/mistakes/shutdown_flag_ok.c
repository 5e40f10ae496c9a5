/* unravel-corpus
 * title: the stop flag is raised under the mutex, and the flusher tests it before every wait
 * stands-for: a mistake C programmers make: an atomic flag that is tested outside the mutex of the wait, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A thread that writes the log to the disk when the server stops. */
struct flusher {
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool stop;
    bool flushed;
};

static struct flusher flusher = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .work = PTHREAD_COND_INITIALIZER,
};

static void *flusher_run(void *arg) {
    struct flusher *f = arg;

    pthread_mutex_lock(&f->lock);
    while (!f->stop)                           //@test
        pthread_cond_wait(&f->work, &f->lock); //@wait
    f->flushed = true;
    pthread_mutex_unlock(&f->lock);
    return NULL;
}

static void flusher_stop(struct flusher *f) {
    pthread_mutex_lock(&f->lock);
    f->stop = true;                //@raise
    pthread_cond_signal(&f->work); //@signal
    pthread_mutex_unlock(&f->lock);
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, flusher_run, &flusher);
    flusher_stop(&flusher);
    pthread_join(thread, NULL);
    printf("%s\n", flusher.flushed ? "flushed" : "lost");
    return 0;
}
