/* unravel-corpus
 * title: the timeout and the answer both see an open request, and both free it
 * stands-for: a mistake C programmers make: a completion and a cancellation that both clean up
 * verdict: unsafe
 * property: memory
 * at: free, look
 * pattern: atomicity violation
 * orders: look < close, close < close; look < close, look < close
 * repair: mutex, signal-wait, join
 */
#include <pthread.h>
#include <stdlib.h>

struct request {
    int url;
};

/* The request that is under way, or null. */
static struct request *_Atomic pending;

static void request_finish(void) {
    struct request *r = pending; //@look

    if (r == NULL)
        return;
    pending = NULL; //@close
    free(r);        //@free
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
    return 0;
}
