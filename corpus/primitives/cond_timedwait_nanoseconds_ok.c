/* unravel-corpus
 * title: a deadline that is no time is refused by every timed operation, the mutex stays held
 * stands-for: pthread_cond_timedwait, pthread_cond_clockwait, sem_timedwait, pthread_rwlock_timedrdlock, pthread_rwlock_timedwrlock
 * verdict: safe
 * output: deterministic
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t menu = PTHREAD_RWLOCK_INITIALIZER;
static const struct timespec late = {1, 1000000000}, early = {1, -1}, fine = {1, 999999999};

int main(void) {
    sem_t seats;
    sem_init(&seats, 0, 1);
    pthread_mutex_lock(&table);
    assert(pthread_cond_timedwait(&served, &table, &late) == EINVAL);
    assert(pthread_cond_clockwait(&served, &table, CLOCK_MONOTONIC, &early) == EINVAL);
    assert(pthread_cond_clockwait(&served, &table, 99, &fine) == EINVAL);
    pthread_mutex_unlock(&table);
    assert(sem_timedwait(&seats, &early) == -1 && errno == EINVAL);
    assert(sem_timedwait(&seats, &fine) == 0);
    assert(pthread_rwlock_timedrdlock(&menu, &late) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&menu, &early) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&menu, &fine) == 0);
    pthread_rwlock_unlock(&menu);
    sem_destroy(&seats);
    puts("no such time");
    return 0;
}
