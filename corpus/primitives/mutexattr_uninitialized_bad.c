/* unravel-corpus
 * title: a mutex is made after a pattern that nobody initialized
 * stands-for: pthread_mutex_init, pthread_mutexattr_init
 * verdict: unsafe
 * property: misuse
 * at: make
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

static pthread_mutexattr_t pattern;

int main(void) {
    pthread_mutex_t m;
    pthread_mutex_init(&m, &pattern); //@make
    pthread_mutex_destroy(&m);
    return 0;
}
