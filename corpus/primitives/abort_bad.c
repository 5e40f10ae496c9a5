/* unravel-corpus
 * title: an invariant that does not hold in between ends in abort
 * stands-for: abort
 * verdict: unsafe
 * property: reach
 * at: abort
 * pattern: atomicity violation
 * orders: out < look, look < in
 * repair: mutex
 */
#include <pthread.h>
#include <stdlib.h>

static int here = 1, there = 0;

static void *travel(void *arg) {
    (void)arg;
    here = 0;  //@out
    there = 1; //@in
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, travel, NULL);
    int seen = there + here; //@look
    if (seen == 0)
        abort(); //@abort
    pthread_join(t, NULL);
    return 0;
}
