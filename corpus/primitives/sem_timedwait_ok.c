/* unravel-corpus
 * title: a consumer that waited too long goes without
 * stands-for: sem_timedwait
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t items;
static const struct timespec deadline = {1, 0};
static int parcel = 0;

static void *deliver(void *arg) {
    (void)arg;
    parcel = 5;
    sem_post(&items);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, deliver, NULL);
    if (sem_timedwait(&items, &deadline) == 0)
        assert(parcel == 5);
    else
        assert(errno == ETIMEDOUT);
    pthread_join(t, NULL);
    printf("parcel %d\n", parcel);
    return 0;
}
