/* unravel-corpus
 * title: three philosophers each take the left fork first
 * stands-for: deadlock: a cycle of three threads
 * verdict: unsafe
 * property: deadlock
 * at: right
 * pattern: deadlock
 * orders: left < right, left < right, left < right
 * repair: lock-order
 */
#include <pthread.h>

static pthread_mutex_t fork_[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int seat[3] = {0, 1, 2};

static void *dine(void *arg) {
    int me = *(int *)arg;
    pthread_mutex_lock(&fork_[me]);           //@left
    pthread_mutex_lock(&fork_[(me + 1) % 3]); //@right
    pthread_mutex_unlock(&fork_[(me + 1) % 3]);
    pthread_mutex_unlock(&fork_[me]);
    return NULL;
}

int main(void) {
    pthread_t guest[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&guest[i], NULL, dine, &seat[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(guest[i], NULL);
    return 0;
}
