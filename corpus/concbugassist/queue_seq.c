/* unravel-corpus
 * title: two threads enqueue into a sequential ring buffer; one update of its size is lost and the second job cannot be taken out
 * stands-for: ConcBugAssist, Table 1, queue_seq
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: grow < grow, grow < grow
 * repair: mutex, atomic, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define CAPACITY 5
#define JOBS 2

/* Print jobs in the order of their arrival. */
struct job_queue {
    int job[CAPACITY];
    uint8_t head; /* index before the oldest job */
    uint8_t tail; /* index of the newest job */
    uint8_t size;
};

/* A program that prints one document. */
struct client {
    pthread_t thread;
    int document;
};

static struct job_queue queue;

static uint8_t next_index(uint8_t index) {
    return (uint8_t)((index + 1) % CAPACITY);
}

/* Appends a job. There is always room for all the clients. */
static void queue_put(struct job_queue *q, int job) {
    q->tail = next_index(q->tail);    //@advance
    q->size = (uint8_t)(q->size + 1); //@grow
    q->job[q->tail] = job;            //@store
}

/* Takes the oldest job; returns false if there is none. */
static bool queue_take(struct job_queue *q, int *job) {
    if (q->size == 0)
        return false;
    q->head = next_index(q->head);
    q->size = (uint8_t)(q->size - 1);
    *job = q->job[q->head];
    return true;
}

static void *client_main(void *arg) {
    struct client *self = arg;

    queue_put(&queue, self->document);
    return NULL;
}

int main(void) {
    static struct client client[JOBS] = {{.document = 11}, {.document = 12}};

    for (int i = 0; i < JOBS; i++)
        pthread_create(&client[i].thread, NULL, client_main, &client[i]);
    for (int i = 0; i < JOBS; i++)
        pthread_join(client[i].thread, NULL);

    for (int i = 0; i < JOBS; i++) {
        int job;
        bool taken = queue_take(&queue, &job);
        assert(taken); //@check
    }
    return 0;
}
