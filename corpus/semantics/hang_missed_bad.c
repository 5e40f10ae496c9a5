/* unravel-corpus
 * title: a reader looks for the first edition only; if the second comes out before it looks, it looks for ever
 * stands-for: deadlock of kind (c): polling for a value that has passed
 * verdict: unsafe
 * property: deadlock
 * at: look
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int edition;

static void *printer(void *arg) {
    edition = 1;
    edition = 2;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, printer, NULL);
    while (edition != 1) //@look
        sched_yield();
    pthread_join(thread, NULL);
    return 0;
}
