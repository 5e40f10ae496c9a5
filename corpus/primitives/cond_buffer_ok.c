/* unravel-corpus
 * title: a buffer for one item between a producer and a consumer
 * stands-for: two condition variables with one mutex
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static int slot, used = 0;

static void *produce(void *arg) {
    (void)arg;
    for (int item = 1; item <= 2; item++) {
        pthread_mutex_lock(&m);
        while (used)
            pthread_cond_wait(&not_full, &m);
        slot = item;
        used = 1;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t producer;
    int sum = 0;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&m);
        while (!used)
            pthread_cond_wait(&not_empty, &m);
        assert(slot == i);
        sum += slot;
        used = 0;
        pthread_cond_signal(&not_full);
        pthread_mutex_unlock(&m);
    }
    pthread_join(producer, NULL);
    printf("sum %d\n", sum);
    return 0;
}
