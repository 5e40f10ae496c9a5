/* unravel-corpus
 * title: the deadline of a wait is moved under the mutex that the wait is called with
 * stands-for: pthread_cond_timedwait
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static struct timespec deadline = {1, 0};

static void *host(void *arg) {
    pthread_mutex_lock(&table);
    deadline.tv_sec = 2;
    pthread_mutex_unlock(&table);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, host, NULL);
    pthread_mutex_lock(&table);
    pthread_cond_timedwait(&served, &table, &deadline);
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    puts("served or not");
    return 0;
}
