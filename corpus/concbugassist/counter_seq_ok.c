/* unravel-corpus
 * title: two turnstiles count a visitor each under a lock
 * stands-for: ConcBugAssist, Table 1, counter_seq, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visitors = 0;

/* Counts one more visitor; returns the number of those before. */
static int count_visitor(void) {
    pthread_mutex_lock(&lock);
    int before = visitors;
    visitors = before + 1;
    pthread_mutex_unlock(&lock);
    return before;
}

static void *turnstile(void *arg) {
    (void)arg;
    count_visitor();
    return NULL;
}

int main(void) {
    pthread_t north, south;

    pthread_create(&north, NULL, turnstile, NULL);
    pthread_create(&south, NULL, turnstile, NULL);
    pthread_join(north, NULL);
    pthread_join(south, NULL);
    assert(visitors == 2);
    printf("%d visitors\n", visitors);
    return 0;
}
