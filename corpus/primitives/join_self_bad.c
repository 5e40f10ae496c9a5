/* unravel-corpus
 * title: the last worker waits for all workers, itself included
 * stands-for: pthread_join
 * verdict: unsafe
 * property: misuse
 * at: join
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

static void *worker(void *arg) {
    return arg;
}

static void *last(void *arg) {
    pthread_t *first = arg;
    pthread_t all[2] = {*first, pthread_self()};
    for (int i = 0; i < 2; i++)
        pthread_join(all[i], NULL); //@join
    return NULL;
}

int main(void) {
    pthread_t first, closing;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&closing, NULL, last, &first);
    pthread_join(closing, NULL);
    return 0;
}
