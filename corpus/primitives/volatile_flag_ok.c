/* unravel-corpus
 * title: main spins on a volatile flag until the message is written (a data race by design)
 * stands-for: volatile, a flag under sequential consistency
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static volatile int ready = 0;
static volatile int message = 0;

static void *send(void *arg) {
    (void)arg;
    message = 77;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, send, NULL);
    while (!ready)
        ;
    assert(message == 77);
    pthread_join(t, NULL);
    printf("message %d\n", message);
    return 0;
}
