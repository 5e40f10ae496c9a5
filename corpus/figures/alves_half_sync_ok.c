/* unravel-corpus
 * title: main joins both threads before it checks the counter
 * stands-for: Alves et al., half_sync and no_sync, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int counter = 0;

static void *increase(void *arg) {
    (void)arg;
    counter++; //@inc
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, increase, NULL);
    pthread_create(&t2, NULL, increase, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2); //@check
    printf("counter=%d\n", counter);
    return 0;
}
