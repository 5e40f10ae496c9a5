/* unravel-corpus
 * title: the main thread deletes the queue as soon as it is drained; the compressor that took the last block has not unlocked it yet
 * stands-for: Concurrency Debugging with MaxSMT, Tables 1 and 2, pbzip2
 * verdict: unsafe
 * property: memory
 * at: unlock
 * pattern: atomicity violation
 * orders: delete < unlock
 * repair: mutex, join, signal-wait
 * sizes: S 2 M 24 L 120
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

/* Blocks of the file. */
#ifndef SIZE
#define SIZE 2
#endif

/* The blocks that are read and not compressed yet. */
struct queue {
    pthread_mutex_t mutex;
    int block[SIZE];
    int head;
    int tail;
};

/* The compressed blocks. */
struct output {
    int block[SIZE];
    int bytes;
};

static sem_t drained;
static struct output output;

static struct queue *queue_new(void) {
    struct queue *q = malloc(sizeof *q);

    if (q == NULL)
        abort();
    pthread_mutex_init(&q->mutex, NULL);
    q->head = q->tail = 0;
    return q;
}

static void queue_delete(struct queue *q) {
    free(q); //@delete
}

static void queue_put(struct queue *q, int block) {
    pthread_mutex_lock(&q->mutex);
    q->block[q->tail++] = block;
    pthread_mutex_unlock(&q->mutex);
}

static int queue_take(struct queue *q) {
    pthread_mutex_lock(&q->mutex); //@lock
    int block = q->block[q->head++];
    if (q->head == SIZE)             //@last
        sem_post(&drained);          //@drained
    pthread_mutex_unlock(&q->mutex); //@unlock
    return block;
}

static void output_put(struct output *out, int i, int block) {
    out->block[i] = block;
    out->bytes += block / 2; /* all blocks shrink to a half */
}

static void *compressor(void *arg) {
    struct queue *q = arg;

    for (int i = 0; i < SIZE; i++)
        output_put(&output, i, queue_take(q));
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct queue *q = queue_new();

    sem_init(&drained, 0, 0);
    for (int i = 0; i < SIZE; i++)
        queue_put(q, 2 * i);
    pthread_create(&thread, NULL, compressor, q);
    sem_wait(&drained); //@wait
    queue_delete(q);
    pthread_join(thread, NULL);
    return 0;
}
