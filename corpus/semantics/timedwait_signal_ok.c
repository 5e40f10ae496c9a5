/* unravel-corpus
 * title: whoever gives up a timed wait passes on the signal that it may have taken
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *patient(void *arg) {
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&changed, &m);
    items--;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *hasty(void *arg) {
    const struct timespec soon = {1, 0};
    pthread_mutex_lock(&m);
    if (items == 0)
        pthread_cond_timedwait(&changed, &m, &soon);
    if (items > 0)
        pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, patient, NULL);
    pthread_create(&b, NULL, hasty, NULL);
    pthread_mutex_lock(&m);
    items = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(items == 0);
    printf("items %d\n", items);
    return 0;
}
