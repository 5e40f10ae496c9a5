/* unravel-corpus
 * title: the barrier stands after the read of the neighbour's cell, not before it
 * stands-for: pthread_barrier_wait, the place
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: read < fill
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t phase;
static int cell[2], seen[2];
static int number[2] = {0, 1};

static void *step(void *arg) {
    int me = *(int *)arg;
    cell[me] = me + 1;       //@fill
    seen[me] = cell[1 - me]; //@read
    pthread_barrier_wait(&phase);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 2);
    pthread_create(&a, NULL, step, &number[0]);
    pthread_create(&b, NULL, step, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen[0] == 2 && seen[1] == 1); //@check
    return 0;
}
