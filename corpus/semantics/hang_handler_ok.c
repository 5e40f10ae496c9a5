/* unravel-corpus
 * title: a thread that polls for what a handler of a signal sets waits for the outside, and does not hang
 * stands-for: a corner of what a program means
 * verdict: inconclusive
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t stop;

static void on_interrupt(int number) {
    (void)number;
    stop = 1;
}

static void *serve(void *arg) {
    while (!stop)
        ;
    return arg;
}

int main(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);

    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    pthread_join(server, NULL);
    return 0;
}
