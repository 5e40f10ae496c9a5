/* unravel-corpus
 * title: the worker may lock the mutex before main has initialized it
 * stands-for: pthread_mutex_lock of a mutex that was never initialized
 * verdict: unsafe
 * property: misuse
 * at: lock
 * pattern: use before initialization
 * orders: lock < init
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

struct queue {
    pthread_mutex_t lock;
    int length;
};

static void *push(void *arg) {
    struct queue *q = arg;
    pthread_mutex_lock(&q->lock); //@lock
    q->length = 1;
    pthread_mutex_unlock(&q->lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct queue *q = malloc(sizeof *q);
    pthread_create(&t, NULL, push, q);
    pthread_mutex_init(&q->lock, NULL); //@init
    pthread_join(t, NULL);
    return 0;
}
