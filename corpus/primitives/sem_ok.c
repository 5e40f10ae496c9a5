/* unravel-corpus
 * title: a semaphore counts the items that a producer has put down
 * stands-for: sem_init, sem_wait, sem_post, sem_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t items;
static int box[2];

static void *produce(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        box[i] = i + 1;
        sem_post(&items);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    int sum = 0;
    sem_init(&items, 0, 0);
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        sem_wait(&items);
        assert(box[i] == i + 1);
        sum += box[i];
    }
    pthread_join(t, NULL);
    sem_destroy(&items);
    printf("sum %d\n", sum);
    return 0;
}
