/* unravel-corpus
 * title: the consumer locks the buffer and then waits for an item, which the producer cannot put in
 * stands-for: a mistake C programmers make: waiting for a semaphore while holding a lock
 * verdict: unsafe
 * property: deadlock
 * at: wait, lock
 * pattern: deadlock
 * orders: consume < lock
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

/* A buffer for one parcel. */
struct buffer {
    pthread_mutex_t lock;
    sem_t full;
    int parcel;
};

static struct buffer shelf = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void buffer_put(struct buffer *b, int parcel) {
    pthread_mutex_lock(&b->lock); //@lock
    b->parcel = parcel;
    sem_post(&b->full); //@post
    pthread_mutex_unlock(&b->lock);
}

static int buffer_take(struct buffer *b) {
    pthread_mutex_lock(&b->lock); //@consume
    sem_wait(&b->full);           //@wait
    int parcel = b->parcel;
    pthread_mutex_unlock(&b->lock);
    return parcel;
}

static void *sender(void *arg) {
    buffer_put(arg, 17);
    return NULL;
}

int main(void) {
    pthread_t thread;

    sem_init(&shelf.full, 0, 0);
    pthread_create(&thread, NULL, sender, &shelf);
    int parcel = buffer_take(&shelf);
    pthread_join(thread, NULL);
    return parcel == 17 ? 0 : 1;
}
