/* unravel-corpus
 * title: a task counts itself as running when it starts, so main can find nobody running before it has
 * stands-for: a mistake C programmers make: a count of running tasks that the task itself raises
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: files < copy
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

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
    g->running++; //@enter
    pthread_mutex_unlock(&g->lock);

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

    pthread_create(&task, NULL, copy_task, &group);
    int files = group_wait(&group);
    assert(files == 1); //@check
    pthread_join(task, NULL);
    return 0;
}
