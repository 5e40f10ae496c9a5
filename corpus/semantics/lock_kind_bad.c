/* unravel-corpus
 * title: a lock is made recursive on some paths only
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: misuse
 * at: again
 * pattern: sequential
 * repair: none
 */
#define _GNU_SOURCE
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t lock;

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    if (__VERIFIER_nondet_bool())
        pthread_mutex_init(&lock, &recursive);
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); //@again
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
