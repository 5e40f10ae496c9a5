/* unravel-corpus
 * title: the reader of a sensor posts the semaphore before it stores the sample
 * stands-for: a mistake C programmers make: an announcement before the data
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: read < store
 * repair: move, signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

/* A place for one sample of a temperature sensor. */
struct mailbox {
    sem_t full;
    int sample;
};

static struct mailbox mailbox;

static void mailbox_put(struct mailbox *m, int sample) {
    sem_post(&m->full); //@post
    m->sample = sample; //@store
}

static int mailbox_take(struct mailbox *m) {
    sem_wait(&m->full);
    return m->sample; //@read
}

static void *sensor(void *arg) {
    mailbox_put(arg, 21);
    return NULL;
}

int main(void) {
    pthread_t thread;

    sem_init(&mailbox.full, 0, 0);
    pthread_create(&thread, NULL, sensor, &mailbox);
    int celsius = mailbox_take(&mailbox);
    assert(celsius == 21); //@check
    pthread_join(thread, NULL);
    return 0;
}
