/* unravel-corpus
 * title: a thread ends in the middle of its critical section
 * stands-for: pthread_exit, with a mutex held
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: deadlock
 * orders: enter < wait
 * repair: join, signal-wait
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tickets = 1;

static void *sell(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m); //@enter
    tickets--;
    if (tickets == 0)
        pthread_exit(NULL);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t seller;
    pthread_create(&seller, NULL, sell, NULL);
    pthread_mutex_lock(&m); //@wait
    tickets += 10;
    pthread_mutex_unlock(&m);
    pthread_join(seller, NULL);
    return 0;
}
