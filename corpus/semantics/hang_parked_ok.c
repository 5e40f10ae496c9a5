/* unravel-corpus
 * title: a thread that finds the door closed stays in an empty loop, which is of no interest
 * stands-for: an empty endless loop counts as able to go on
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int door;

static void *visitor(void *arg) {
    if (!door)
        for (;;)
            ;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, visitor, NULL);
    door = 1;
    puts("open");
    return 0;
}
