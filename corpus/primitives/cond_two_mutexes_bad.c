/* unravel-corpus
 * title: two threads wait on one condition variable, each with a mutex of its own
 * stands-for: pthread_cond_wait
 * verdict: unsafe
 * property: misuse
 * at: cook, waiter
 */
#include <pthread.h>

static pthread_mutex_t kitchen = PTHREAD_MUTEX_INITIALIZER, hall = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open = 0;

static void *cook(void *arg) {
    pthread_mutex_lock(&kitchen);
    while (!open)
        pthread_cond_wait(&opened, &kitchen); //@cook
    pthread_mutex_unlock(&kitchen);
    return arg;
}

static void *waiter(void *arg) {
    pthread_mutex_lock(&hall);
    while (!open)
        pthread_cond_wait(&opened, &hall); //@waiter
    pthread_mutex_unlock(&hall);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, cook, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    pthread_mutex_lock(&kitchen);
    pthread_mutex_lock(&hall);
    open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&hall);
    pthread_mutex_unlock(&kitchen);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
