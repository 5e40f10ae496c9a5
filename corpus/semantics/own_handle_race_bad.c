/* unravel-corpus
 * title: a worker reads its own handle while pthread_create stores it
 * stands-for: a corner of what a program means: POSIX does not say that pthread_create stores it first
 * verdict: unsafe
 * property: race
 * at: reads, stores
 * flags: --races
 * pattern: data race
 */
#include <pthread.h>

static pthread_t worker, seen;

static void *work(void *arg) {
    seen = worker; //@reads
    return arg;
}

int main(void) {
    pthread_create(&worker, NULL, work, NULL); //@stores
    pthread_join(worker, NULL);
    return 0;
}
