/* unravel-corpus
 * title: the standard use of a condition variable: test in a loop, wait, signal
 * stands-for: Alves et al., Figure 12, as a whole program
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER; //@L1
static bool condition = false;

static void *notifier(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    condition = true;
    pthread_cond_signal(&c); //@L3
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, notifier, NULL);
    pthread_mutex_lock(&m);
    while (!condition)             //@L5
        pthread_cond_wait(&c, &m); //@L6
    assert(condition);
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    printf("condition holds\n");
    return 0;
}
