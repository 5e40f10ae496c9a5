/* unravel-corpus
 * title: whoever comes second to a once sees what the first did
 * stands-for: a corner of what a program means
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table;

static void fill(void) { table = 42; }

static void *work(void *arg) {
    pthread_once(&control, fill);
    assert(table == 42);
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_once(&control, fill);
    assert(table == 42);
    pthread_join(worker, NULL);
    printf("table %d\n", table);
    return 0;
}
