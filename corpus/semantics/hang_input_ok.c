/* unravel-corpus
 * title: main polls a button while it holds the lock that a worker waits for
 * stands-for: polling for something outside of the program is no hang
 * verdict: safe
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t panel = PTHREAD_MUTEX_INITIALIZER;
static int lit;

static void *worker(void *arg) {
    pthread_mutex_lock(&panel);
    lit = 1;
    pthread_mutex_unlock(&panel);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&panel);
    while (!__VERIFIER_nondet_bool())
        ;
    pthread_mutex_unlock(&panel);
    pthread_join(thread, NULL);
    return lit - 1;
}
