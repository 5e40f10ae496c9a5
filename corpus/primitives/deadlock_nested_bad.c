/* unravel-corpus
 * title: a thread waits for a condition while it keeps an outer mutex the signaller needs
 * stands-for: deadlock of kind (b): the nested monitor
 * verdict: unsafe
 * property: deadlock
 * at: wait, outer
 * pattern: deadlock
 * orders: hold < outer; wait < signal
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t till = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t paid = PTHREAD_COND_INITIALIZER;
static bool money = false;

static void *serve(void *arg) {
    (void)arg;
    pthread_mutex_lock(&shop); //@hold
    pthread_mutex_lock(&till);
    while (!money)
        pthread_cond_wait(&paid, &till); //@wait
    pthread_mutex_unlock(&till);
    pthread_mutex_unlock(&shop);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, serve, NULL);
    pthread_mutex_lock(&shop); //@outer
    pthread_mutex_lock(&till);
    money = true;
    pthread_cond_signal(&paid); //@signal
    pthread_mutex_unlock(&till);
    pthread_mutex_unlock(&shop);
    pthread_join(t, NULL);
    return 0;
}
