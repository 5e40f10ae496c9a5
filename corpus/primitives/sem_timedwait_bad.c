/* unravel-corpus
 * title: a consumer that waited too long takes what is not there
 * stands-for: sem_timedwait, the result
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < deliver
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t items;
static const struct timespec deadline = {1, 0};
static int parcel = 0;

static void *deliver(void *arg) {
    (void)arg;
    parcel = 5; //@deliver
    sem_post(&items);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, deliver, NULL);
    sem_timedwait(&items, &deadline);
    assert(parcel == 5); //@check
    pthread_join(t, NULL);
    return 0;
}
