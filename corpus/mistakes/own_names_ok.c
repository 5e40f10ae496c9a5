/* unravel-corpus
 * title: a ferry that leaves wakes all of the crew who wait, by names of the program's own
 * stands-for: condition variables behind functions and macros of the program's own
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define Mutex_lock(mutex) pthread_mutex_lock(mutex)
#define Mutex_unlock(mutex) pthread_mutex_unlock(mutex)
#define Cond_wait(cond, mutex) pthread_cond_wait(cond, mutex)
#define Cond_signal(cond) pthread_cond_signal(cond)
#define Cond_broadcast(cond) pthread_cond_broadcast(cond)

static void must(int code, const char *what) {
    if (code != 0) {
        fprintf(stderr, "%s: error %d\n", what, code);
        exit(1);
    }
}

static void Thread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *arg) {
    must(pthread_create(thread, attributes, start, arg), "create");
}

static void Thread_join(pthread_t thread, void **result) {
    must(pthread_join(thread, result), "join");
}

struct ferry {
    pthread_mutex_t lock;
    pthread_cond_t left;
    int at_sea;
    int lines_in;
};

static struct ferry ferry = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};

static void *haul_in_line(void *arg) {
    struct ferry *f = arg;
    Mutex_lock(&f->lock);
    while (!f->at_sea)
        Cond_wait(&f->left, &f->lock);
    f->lines_in++;
    Mutex_unlock(&f->lock);
    return NULL;
}

static void leave_port(struct ferry *f) {
    Mutex_lock(&f->lock);
    f->at_sea = 1;
    Cond_broadcast(&f->left);
    Mutex_unlock(&f->lock);
}

int main(void) {
    pthread_t bow, stern;

    Thread_create(&bow, NULL, haul_in_line, &ferry);
    Thread_create(&stern, NULL, haul_in_line, &ferry);
    leave_port(&ferry);
    Thread_join(bow, NULL);
    Thread_join(stern, NULL);
    assert(ferry.lines_in == 2);
    return 0;
}
