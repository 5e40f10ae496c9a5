/* unravel-corpus
 * title: a timed waiter that gives up takes the signal of another with it
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: deadlock
 * at: waits, joins
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static int meals;

static void *regular(void *arg) {
    pthread_mutex_lock(&counter);
    while (meals == 0)
        pthread_cond_wait(&served, &counter); //@waits
    meals--;
    pthread_mutex_unlock(&counter);
    return arg;
}

/* Leaves when its time is over, without a look at the counter. */
static void *passer_by(void *arg) {
    const struct timespec soon = {1, 0};
    pthread_mutex_lock(&counter);
    if (meals == 0 && pthread_cond_timedwait(&served, &counter, &soon) == 0)
        pthread_cond_signal(&served);
    pthread_mutex_unlock(&counter);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, regular, NULL);
    pthread_create(&b, NULL, passer_by, NULL);
    pthread_mutex_lock(&counter);
    meals = 1;
    pthread_cond_signal(&served);
    pthread_mutex_unlock(&counter);
    pthread_join(a, NULL); //@joins
    pthread_join(b, NULL);
    return 0;
}
