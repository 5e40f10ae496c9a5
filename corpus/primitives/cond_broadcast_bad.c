/* unravel-corpus
 * title: two runners wait, only one is woken
 * stands-for: pthread_cond_signal where pthread_cond_broadcast is needed
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: wait < signal, wait < signal
 * repair: predicate-loop, join, signal-wait
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static bool go = false;
static int started = 0;

static void *run(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&start, &m); //@wait
    started++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_mutex_lock(&m);
    go = true;
    pthread_cond_signal(&start); //@signal
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
