/* unravel-corpus
 * title: a server polls for a request that never comes; main returns, which ends it
 * stands-for: after main has returned there is no deadlock of kind (c)
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int request;

static void *serve(void *arg) {
    while (!request)
        ;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, serve, NULL);
    puts("closed");
    return 0;
}
