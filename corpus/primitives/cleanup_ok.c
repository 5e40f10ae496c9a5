/* unravel-corpus
 * title: a cleanup handler unlocks where it is taken away
 * stands-for: pthread_cleanup_push, pthread_cleanup_pop
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *add(void *arg) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    total++;
    pthread_cleanup_pop(1);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(total == 2);
    return 0;
}
