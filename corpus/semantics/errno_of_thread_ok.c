/* unravel-corpus
 * title: a call that fails in one thread leaves errno of the other alone
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *worker(void *arg) {
    close(-1);
    assert(errno == EBADF);
    return arg;
}

int main(void) {
    pthread_t thread;

    errno = 0;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(errno == 0);
    puts("alone");
    return 0;
}
