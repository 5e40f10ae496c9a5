/* unravel-corpus
 * title: a mutex is initialized in a block that is too small for it
 * stands-for: pthread_mutex_init
 * verdict: unsafe
 * property: memory
 * at: make
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof m);
    pthread_mutex_init(m, NULL); //@make
    pthread_mutex_destroy(m);
    free(m);
    return 0;
}
