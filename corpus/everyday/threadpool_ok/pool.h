#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>

#define POOL_MAX_WORKERS 4

typedef void (*task_fn)(void *arg);

struct task {
    task_fn run;
    void *arg;
    struct task *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;
    struct task *first;
    struct task **last;
    pthread_t workers[POOL_MAX_WORKERS];
    int n_workers;
    bool stop;
};

/* All return 0, or an error number. */
int pool_create(struct pool *p, int n_workers);
int pool_submit(struct pool *p, task_fn run, void *arg);

/* Runs what is left, and waits for the workers. */
void pool_destroy(struct pool *p);

#endif
