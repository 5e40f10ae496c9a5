#include "pool.h"

#include <errno.h>
#include <stdlib.h>

static struct task *next_task(struct pool *p) {
    struct task *t;

    pthread_mutex_lock(&p->lock);
    while (p->first == NULL && !p->stop)
        pthread_cond_wait(&p->work, &p->lock);
    t = p->first;
    if (t != NULL) {
        p->first = t->next;
        if (p->first == NULL)
            p->last = &p->first;
    }
    pthread_mutex_unlock(&p->lock);
    return t;
}

static void *worker(void *arg) {
    struct pool *p = arg;
    struct task *t;

    while ((t = next_task(p)) != NULL) {
        t->run(t->arg);
        free(t);
    }
    return NULL;
}

int pool_create(struct pool *p, int n_workers) {
    if (n_workers < 1 || n_workers > POOL_MAX_WORKERS)
        return EINVAL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    p->first = NULL;
    p->last = &p->first;
    p->stop = false;
    p->n_workers = 0;
    for (int i = 0; i < n_workers; i++) {
        int error = pthread_create(&p->workers[i], NULL, worker, p);
        if (error != 0) {
            pool_destroy(p);
            return error;
        }
        p->n_workers++;
    }
    return 0;
}

int pool_submit(struct pool *p, task_fn run, void *arg) {
    struct task *t = malloc(sizeof *t);

    if (t == NULL)
        return ENOMEM;
    t->run = run;
    t->arg = arg;
    t->next = NULL;
    pthread_mutex_lock(&p->lock);
    *p->last = t;
    p->last = &t->next;
    pthread_cond_signal(&p->work);
    pthread_mutex_unlock(&p->lock);
    return 0;
}

void pool_destroy(struct pool *p) {
    p->stop = true; //@stop
    pthread_cond_broadcast(&p->work);
    for (int i = 0; i < p->n_workers; i++)
        pthread_join(p->workers[i], NULL); //@join
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
}
