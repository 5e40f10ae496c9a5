/* unravel-corpus
 * title: the same barrier separates two rounds
 * stands-for: pthread_barrier_wait, used again
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int left = 1, right = 1;

static void *grow_right(void *arg) {
    (void)arg;
    for (int round = 0; round < 2; round++) {
        int other = left;
        pthread_barrier_wait(&phase);
        right += other;
        pthread_barrier_wait(&phase);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&t, NULL, grow_right, NULL);
    for (int round = 0; round < 2; round++) {
        int other = right;
        pthread_barrier_wait(&phase);
        left += other;
        pthread_barrier_wait(&phase);
    }
    pthread_join(t, NULL);
    assert(left == 4 && right == 4);
    printf("left %d, right %d\n", left, right);
    return 0;
}
