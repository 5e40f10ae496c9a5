/* unravel-corpus
 * title: the deadline of a wait is moved while the wait reads it
 * stands-for: pthread_cond_timedwait
 * verdict: unsafe
 * property: race
 * at: wait, move
 * flags: --races
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static struct timespec deadline = {1, 0};

static void *host(void *arg) {
    deadline.tv_sec = 2; //@move
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, host, NULL);
    pthread_mutex_lock(&table);
    pthread_cond_timedwait(&served, &table, &deadline); //@wait
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    return 0;
}
