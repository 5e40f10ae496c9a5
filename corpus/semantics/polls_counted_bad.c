/* unravel-corpus
 * title: a thread counts how often it polls, in a variable that nothing used before the loop
 * stands-for: turns of a loop that change only what the thread alone uses
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int ready;
static int polls;

static void *prepare(void *arg) {
    (void)arg;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t preparer;

    pthread_create(&preparer, NULL, prepare, NULL);
    while (!ready) {
        if (polls < 3)
            polls++;
    }
    if (polls > 2)
        abort(); //@fail
    pthread_join(preparer, NULL);
    return 0;
}
