/* unravel-corpus
 * title: every thread counts in a variable of its own
 * stands-for: _Thread_local, __thread
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static _Thread_local int mine = 10;
static __thread int depth;
static int result[2];

static void *count(void *arg) {
    int *out = arg;
    for (int i = 0; i < 2; i++) {
        mine++;
        depth++;
    }
    *out = mine + depth;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, &result[0]);
    pthread_create(&b, NULL, count, &result[1]);
    mine = 1;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(mine == 1 && depth == 0);
    assert(result[0] == 14 && result[1] == 14);
    printf("%d %d\n", result[0], result[1]);
    return 0;
}
