/* unravel-corpus
 * title: each thread reads its neighbour's cell after the barrier; one of them is the serial thread
 * stands-for: pthread_barrier_init, pthread_barrier_wait, pthread_barrier_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t phase;
static int cell[2], seen[2], serial[2];
static int number[2] = {0, 1};

static void *step(void *arg) {
    int me = *(int *)arg;
    cell[me] = me + 1;
    int rc = pthread_barrier_wait(&phase);
    if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
        serial[me] = 1;
    else
        assert(rc == 0);
    seen[me] = cell[1 - me];
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, step, &number[0]);
    pthread_create(&b, NULL, step, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&phase);
    assert(seen[0] == 2 && seen[1] == 1);
    assert(serial[0] + serial[1] == 1);
    printf("seen %d %d\n", seen[0], seen[1]);
    return 0;
}
