/* unravel-corpus
 * title: a task is counted as running before it is started
 * stands-for: a mistake C programmers make: a count of running tasks that the task itself raises, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Tasks that run, and what they have copied. Every member is used under the lock. */
struct group {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running;
    int files;
};

static struct group group = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *copy_task(void *arg) {
    struct group *g = arg;

    pthread_mutex_lock(&g->lock);
    g->files++; //@copy
    g->running--;
    pthread_cond_signal(&g->changed);
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

/* Returns when no task runs any more. */
static int group_wait(struct group *g) {
    pthread_mutex_lock(&g->lock);
    while (g->running > 0) //@look
        pthread_cond_wait(&g->changed, &g->lock);
    int files = g->files; //@files
    pthread_mutex_unlock(&g->lock);
    return files;
}

int main(void) {
    pthread_t task;

    group.running++; //@enter
    pthread_create(&task, NULL, copy_task, &group);
    int files = group_wait(&group);
    assert(files == 1); //@check
    pthread_join(task, NULL);
    printf("%d file\n", files);
    return 0;
}
