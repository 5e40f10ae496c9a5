/* unravel-corpus
 * title: a value wider than a word is written in two steps
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <assert.h>
#include <pthread.h>

typedef unsigned __int128 wide;
static wide total;

static void *work(void *arg) {
    total = ((wide)1 << 64) + 1;
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    wide seen = total;
    assert(seen == 0 || seen == ((wide)1 << 64) + 1); //@fail
    pthread_join(worker, NULL);
    return 0;
}
