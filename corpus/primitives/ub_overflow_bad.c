/* unravel-corpus
 * title: two bonuses after one check push the score over the largest int
 * stands-for: signed overflow
 * verdict: unsafe
 * property: ub
 * at: add
 * flags: --ub
 * pattern: atomicity violation
 * orders: check < add, check < add; add < add, check < add
 * repair: atomic, widen
 */
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int score = INT_MAX - 1;

static void *bonus(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    bool room = score < INT_MAX; //@check
    pthread_mutex_unlock(&m);
    if (!room)
        return NULL;
    pthread_mutex_lock(&m);
    score = score + 1; //@add
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, bonus, NULL);
    pthread_create(&b, NULL, bonus, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
