/* unravel-corpus
 * title: check and bonus are one section; unsigned and narrow arithmetic may wrap
 * stands-for: signed overflow, avoided
 * verdict: safe
 * flags: --ub
 * output: deterministic
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int score = INT_MAX - 1;
static unsigned laps = UINT_MAX;
static unsigned char gear = 255;

static void *bonus(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (score < INT_MAX)
        score = score + 1;
    laps = laps + 1;
    gear = (unsigned char)(gear + 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, bonus, NULL);
    pthread_create(&b, NULL, bonus, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(score == INT_MAX && laps == 1 && gear == 1);
    printf("laps %u\n", laps);
    return 0;
}
