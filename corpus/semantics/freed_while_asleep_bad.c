/* unravel-corpus
 * title: the mailbox is freed while a reader that was woken has yet to take its mutex again
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: sleep, unlock
 * pattern: atomicity violation
 * orders: free < unlock; free < sleep
 * repair: mutex, signal-wait, join
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
};

static atomic_bool asleep;

static void *reader(void *arg) {
    struct mailbox *box = arg;

    pthread_mutex_lock(&box->lock);
    asleep = 1;
    pthread_cond_wait(&box->arrived, &box->lock); //@sleep
    pthread_mutex_unlock(&box->lock);             //@unlock
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct mailbox *box = malloc(sizeof *box);

    pthread_mutex_init(&box->lock, NULL);
    pthread_cond_init(&box->arrived, NULL);
    pthread_create(&thread, NULL, reader, box);
    while (!asleep)
        continue;
    pthread_mutex_lock(&box->lock);
    pthread_cond_signal(&box->arrived);
    pthread_mutex_unlock(&box->lock);
    free(box); //@free
    return 0;
}
