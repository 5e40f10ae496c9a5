/* unravel-corpus
 * title: a consumer tests for an empty queue with if and takes a letter that is not there
 * stands-for: an everyday program: a bounded queue of messages between producers and consumers
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: test, wait
 * pattern: atomicity violation
 * repair: predicate-loop
 * patch: mailqueue.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPACITY 2
#define TEXT 24

struct letter {
    int number;
    char text[TEXT];
};

struct queue {
    struct letter items[CAPACITY];
    int head;
    int count;
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
};

static struct queue mail;

static void queue_init(struct queue *q) {
    memset(q, 0, sizeof *q);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
}

static void queue_put(struct queue *q, int number, const char *text) {
    pthread_mutex_lock(&q->lock);
    while (q->count == CAPACITY)
        pthread_cond_wait(&q->not_full, &q->lock);
    struct letter *slot = &q->items[(q->head + q->count) % CAPACITY];
    slot->number = number;
    snprintf(slot->text, sizeof slot->text, "%s", text);
    q->count++;
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static struct letter queue_get(struct queue *q) {
    struct letter out;

    pthread_mutex_lock(&q->lock);
    if (q->count == 0) //@test
        pthread_cond_wait(&q->not_empty, &q->lock); //@wait
    assert(q->count > 0); //@check
    out = q->items[q->head];
    q->head = (q->head + 1) % CAPACITY;
    q->count--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    return out;
}

static void *postman(void *arg) {
    int *numbers = arg;

    *numbers = queue_get(&mail).number;
    return NULL;
}

int main(void) {
    static const char *const texts[] = {"hello", "see you at nine"};
    pthread_t postmen[2];
    int numbers[2] = {0, 0};

    queue_init(&mail);
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&postmen[i], NULL, postman, &numbers[i]) != 0) {
            fprintf(stderr, "cannot start a postman\n");
            exit(EXIT_FAILURE);
        }
    }
    for (int i = 0; i < 2; i++)
        queue_put(&mail, i + 1, texts[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(postmen[i], NULL);

    printf("last: %s\n", mail.items[1].text);
    printf("delivered %d letters\n", numbers[0] + numbers[1] - 1);
    return 0;
}
