/* unravel-corpus
 * title: the cook signals, the guest waits in a loop
 * stands-for: pthread_cond_wait, pthread_cond_signal
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static bool ready = false;
static int dish = 0;

static void *cook(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    dish = 42;
    ready = true;
    pthread_cond_signal(&served);
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    while (!ready)
        pthread_cond_wait(&served, &table);
    assert(dish == 42);
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    printf("dish %d\n", dish);
    return 0;
}
