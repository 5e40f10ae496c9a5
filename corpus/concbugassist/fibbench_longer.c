/* unravel-corpus
 * title: two echo paths feed each other six times; only strict alternation reaches the clipping level
 * stands-for: ConcBugAssist, Table 1, fibbench_longer
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: left < check, left < right, left < right, left < right, left < right, left < right, right < left, right < left, right < left, right < left, right < left, right < left; left < right, left < right, left < right, left < right, left < right, left < right, right < check, right < left, right < left, right < left, right < left, right < left
 * repair: mutex, signal-wait
 * turns: 6
 */
#include <assert.h>
#include <pthread.h>

#define ECHOES 6
#define CLIPPING 377 /* the highest level that the echoes can reach, in any order */

/* Signal levels of a stereo delay whose channels are coupled crosswise. */
struct delay {
    int left, right;
};

static struct delay line = {.left = 1, .right = 1};

static void *echo_left(void *arg) {
    struct delay *d = arg;

    for (int i = 0; i < ECHOES; i++)
        d->left = d->left + d->right; //@left
    return NULL;
}

static void *echo_right(void *arg) {
    struct delay *d = arg;

    for (int i = 0; i < ECHOES; i++)
        d->right = d->right + d->left; //@right
    return NULL;
}

int main(void) {
    pthread_t left, right;

    pthread_create(&left, NULL, echo_left, &line);
    pthread_create(&right, NULL, echo_right, &line);
    assert(line.left < CLIPPING && line.right < CLIPPING); //@check
    return 0;
}
