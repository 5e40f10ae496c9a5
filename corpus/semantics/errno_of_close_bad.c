/* unravel-corpus
 * title: a call that fails sets errno of its own thread, whatever was there
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: check
 * repair: none
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

static void *worker(void *arg) {
    errno = 0;
    close(-1);
    assert(errno == 0); //@check
    return arg;
}

int main(void) {
    pthread_t thread;

    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
