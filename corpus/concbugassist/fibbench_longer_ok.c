/* unravel-corpus
 * title: each echo path does its six rounds in one piece and stays below the clipping level
 * stands-for: ConcBugAssist, Table 1, fibbench_longer, repaired
 * verdict: safe
 * output: deterministic
 * turns: 6
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

#define ECHOES 6
#define CLIPPING 377 /* the highest level that the echoes can reach, in any order */

/* Signal levels of a stereo delay whose channels are coupled crosswise. */
struct delay {
    pthread_mutex_t lock;
    int left, right;
};

static struct delay line = {PTHREAD_MUTEX_INITIALIZER, .left = 1, .right = 1};

static void *echo_left(void *arg) {
    struct delay *d = arg;

    pthread_mutex_lock(&d->lock);
    for (int i = 0; i < ECHOES; i++)
        d->left = d->left + d->right; //@left
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

static void *echo_right(void *arg) {
    struct delay *d = arg;

    pthread_mutex_lock(&d->lock);
    for (int i = 0; i < ECHOES; i++)
        d->right = d->right + d->left; //@right
    pthread_mutex_unlock(&d->lock);
    return NULL;
}

int main(void) {
    pthread_t left, right;

    pthread_create(&left, NULL, echo_left, &line);
    pthread_create(&right, NULL, echo_right, &line);

    pthread_mutex_lock(&line.lock);
    assert(line.left < CLIPPING && line.right < CLIPPING); //@check
    pthread_mutex_unlock(&line.lock);

    pthread_join(left, NULL);
    pthread_join(right, NULL);
    printf("levels add up to %d\n", line.left + line.right);
    return 0;
}
