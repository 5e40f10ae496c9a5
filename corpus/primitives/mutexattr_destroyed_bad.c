/* unravel-corpus
 * title: a mutex is made after a pattern that was destroyed
 * stands-for: pthread_mutex_init, pthread_mutexattr_destroy
 * verdict: unsafe
 * property: misuse
 * at: make
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

int main(void) {
    pthread_mutex_t m;
    pthread_mutexattr_t pattern;
    pthread_mutexattr_init(&pattern);
    pthread_mutexattr_settype(&pattern, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_destroy(&pattern);
    pthread_mutex_init(&m, &pattern); //@make
    pthread_mutex_destroy(&m);
    return 0;
}
