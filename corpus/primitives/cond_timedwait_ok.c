/* unravel-corpus
 * title: after a timeout the guest looks whether there is a dish
 * stands-for: pthread_cond_timedwait
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static const struct timespec deadline = {1, 0};
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
    int rc = 0;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    while (!ready && rc != ETIMEDOUT)
        rc = pthread_cond_timedwait(&served, &table, &deadline);
    if (ready)
        assert(dish == 42);
    else
        assert(dish == 0 && rc == ETIMEDOUT);
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    printf("dish %d\n", dish);
    return 0;
}
