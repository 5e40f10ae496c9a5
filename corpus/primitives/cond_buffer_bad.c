/* unravel-corpus
 * title: producer and two consumers share one condition variable; a signal wakes the wrong one
 * stands-for: one condition variable for two conditions, pthread_cond_signal
 * verdict: unsafe
 * property: deadlock
 * at: full, empty
 * pattern: lost wakeup
 * repair: predicate-loop
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int used = 0;

static void *consume(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!used)
        pthread_cond_wait(&changed, &m); //@empty
    used = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, consume, NULL);
    pthread_create(&b, NULL, consume, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (used)
            pthread_cond_wait(&changed, &m); //@full
        used = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
