/* unravel-corpus
 * title: whoever takes the pointer out by an atomic exchange frees the request
 * stands-for: a mistake C programmers make: a completion and a cancellation that both clean up, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct request {
    int url;
};

/* The request that is under way, or null. */
static struct request *_Atomic pending;

static void request_finish(void) {
    struct request *r = atomic_exchange(&pending, NULL); //@look

    free(r); //@free
}

static void *on_answer(void *arg) {
    request_finish();
    return arg;
}

static void *on_timeout(void *arg) {
    request_finish();
    return arg;
}

int main(void) {
    pthread_t network, timer;

    pending = calloc(1, sizeof *pending);
    pthread_create(&network, NULL, on_answer, NULL);
    pthread_create(&timer, NULL, on_timeout, NULL);
    pthread_join(network, NULL);
    pthread_join(timer, NULL);
    printf("finished\n");
    return 0;
}
