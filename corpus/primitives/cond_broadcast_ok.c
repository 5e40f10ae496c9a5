/* unravel-corpus
 * title: the starter wakes both runners
 * stands-for: pthread_cond_broadcast, pthread_cond_init, pthread_cond_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start;
static bool go = false;
static int started = 0;

static void *run(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    while (!go)
        pthread_cond_wait(&start, &m);
    started++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_cond_init(&start, NULL);
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_mutex_lock(&m);
    go = true;
    pthread_cond_broadcast(&start);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_cond_destroy(&start);
    assert(started == 2);
    printf("%d runners\n", started);
    return 0;
}
