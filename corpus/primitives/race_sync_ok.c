/* unravel-corpus
 * title: a value is passed on by semaphore, condition variable and barrier
 * stands-for: data race, avoided by post and wait, signal and wait, barrier
 * verdict: safe
 * flags: --races
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>

static sem_t posted;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t meet;
static bool answered = false;
static int value = 0;

static void *other(void *arg) {
    (void)arg;
    sem_wait(&posted);
    value++;
    pthread_mutex_lock(&m);
    answered = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
    pthread_barrier_wait(&meet);
    value++;
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&posted, 0, 0);
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t, NULL, other, NULL);
    value = 10;
    sem_post(&posted);
    pthread_mutex_lock(&m);
    while (!answered)
        pthread_cond_wait(&changed, &m);
    pthread_mutex_unlock(&m);
    value++;
    pthread_barrier_wait(&meet);
    pthread_join(t, NULL);
    assert(value == 13);
    printf("value %d\n", value);
    return 0;
}
