/* unravel-corpus
 * title: door and till wait for their turn with every customer
 * stands-for: Alves et al., Table 3, queue_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

#define CUSTOMERS 4 /* twenty in the published program */
#define FIRST_TICKET 70

/* Tickets of the customers who wait, oldest first. */
struct queue {
    int tickets[CUSTOMERS];
    int head;
    int tail;
    int waiting;
};

/* An office with one door and one till; all members are used under the lock. */
struct office {
    pthread_mutex_t lock;
    pthread_cond_t turned;
    struct queue queue;
    int list[CUSTOMERS]; /* the tickets as they were drawn */
    bool may_draw;
    bool may_serve;
};

static struct office office;

static void queue_init(struct queue *q) {
    q->head = 0;
    q->tail = 0;
    q->waiting = 0;
}

static bool queue_is_empty(const struct queue *q) {
    return q->waiting == 0;
}

static bool queue_is_full(const struct queue *q) {
    return q->waiting == CUSTOMERS; //@full
}

/* Puts a ticket at the end; there must be room. */
static void queue_put(struct queue *q, int ticket) {
    q->tickets[q->tail] = ticket;
    q->waiting++;
    if (q->tail == CUSTOMERS - 1)
        q->tail = 0;
    else
        q->tail++;
}

/* Takes the oldest ticket; there must be one. */
static int queue_take(struct queue *q) {
    int ticket = q->tickets[q->head];

    q->waiting--; //@taken
    if (q->head == CUSTOMERS - 1)
        q->head = 0;
    else
        q->head++;
    return ticket;
}

static void office_open(struct office *o) {
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->turned, NULL);
    queue_init(&o->queue);
    for (int i = 0; i < CUSTOMERS; i++)
        o->list[i] = 0;
    o->may_draw = true;
    o->may_serve = false;
}

static void office_close(struct office *o) {
    pthread_cond_destroy(&o->turned);
    pthread_mutex_destroy(&o->lock);
}

/* Lets the next customer in when the one before is served. */
static void *door(void *arg) {
    struct office *o = arg;

    for (int i = 0; i < CUSTOMERS; i++) {
        pthread_mutex_lock(&o->lock);
        while (!o->may_draw || queue_is_full(&o->queue))
            pthread_cond_wait(&o->turned, &o->lock);
        queue_put(&o->queue, FIRST_TICKET + i);
        o->list[i] = FIRST_TICKET + i; //@listed
        o->may_draw = false;
        o->may_serve = true; //@drawn
        pthread_cond_signal(&o->turned);
        pthread_mutex_unlock(&o->lock);
    }
    return NULL;
}

/* Serves the customers in the order of the list. */
static void *till(void *arg) {
    struct office *o = arg;

    for (int i = 0; i < CUSTOMERS; i++) {
        pthread_mutex_lock(&o->lock);
        while (!o->may_serve || queue_is_empty(&o->queue)) //@try_serve
            pthread_cond_wait(&o->turned, &o->lock);
        int ticket = queue_take(&o->queue);
        int expected = o->list[i]; //@expected
        assert(ticket == expected); //@compare
        o->may_serve = false;
        o->may_draw = true;
        pthread_cond_signal(&o->turned);
        pthread_mutex_unlock(&o->lock);
    }
    return NULL;
}

int main(void) {
    pthread_t at_door, at_till;

    office_open(&office);
    pthread_create(&at_door, NULL, door, &office);
    pthread_create(&at_till, NULL, till, &office);
    pthread_join(at_door, NULL);
    pthread_join(at_till, NULL);
    office_close(&office);
    printf("%d customers served\n", CUSTOMERS);
    return 0;
}
