/* unravel-corpus
 * title: a condition variable goes with another mutex once nobody waits any more
 * stands-for: pthread_cond_wait
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t kitchen = PTHREAD_MUTEX_INITIALIZER, hall = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int cooking = 0, serving = 0;

static void *cook(void *arg) {
    pthread_mutex_lock(&kitchen);
    cooking = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&kitchen);
    return arg;
}

static void *waiter(void *arg) {
    pthread_mutex_lock(&hall);
    serving = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&hall);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&kitchen);
    while (!cooking)
        pthread_cond_wait(&opened, &kitchen);
    pthread_mutex_unlock(&kitchen);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&hall);
    while (!serving)
        pthread_cond_wait(&opened, &hall);
    pthread_mutex_unlock(&hall);
    pthread_join(t, NULL);
    assert(cooking && serving);
    puts("open");
    return 0;
}
