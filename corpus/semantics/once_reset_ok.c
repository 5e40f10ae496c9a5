/* unravel-corpus
 * title: a once control that is written over starts anew
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs;

static void initialize(void) { runs++; }

int main(void) {
    static const pthread_once_t fresh = PTHREAD_ONCE_INIT;
    pthread_once(&control, initialize);
    pthread_once(&control, initialize);
    control = fresh;
    pthread_once(&control, initialize);
    assert(runs == 2);
    printf("runs %d\n", runs);
    return 0;
}
