/* A producer and a consumer share a ring of eight places, with a lock and two conditions. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLACES = 8 };

static long ring[PLACES];
static int first, filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static int rounds = 1;

static void *produce(void *arg) {
    for (long i = 0; i < rounds * 10000L; i++) {
        pthread_mutex_lock(&lock);
        while (filled == PLACES)
            pthread_cond_wait(&empty, &lock);
        ring[(first + filled++) % PLACES] = i;
        pthread_cond_signal(&full);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(int count, char **words) {
    if (count > 1)
        rounds = atoi(words[1]);
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    long sum = 0;
    for (long i = 0; i < rounds * 10000L; i++) {
        pthread_mutex_lock(&lock);
        while (filled == 0)
            pthread_cond_wait(&full, &lock);
        sum += ring[first];
        first = (first + 1) % PLACES;
        filled--;
        pthread_cond_signal(&empty);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(producer, NULL);
    printf("%ld\n", sum);
    return 0;
}
