/* unravel-corpus
 * title: a sample waits for the lock
 * stands-for: a mistake C programmers make: a trylock whose failure skips the work, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* The average speed of a car: the sum of samples and how many there are. */
struct average {
    pthread_mutex_t lock;
    int sum;
    int samples;
};

static struct average speed = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void average_add(struct average *a, int sample) {
    pthread_mutex_lock(&a->lock); //@try
    a->sum += sample;
    a->samples++;
    pthread_mutex_unlock(&a->lock); //@release
}

static void *wheel(void *arg) {
    average_add(arg, 50);
    return NULL;
}

int main(void) {
    pthread_t left, right;

    pthread_create(&left, NULL, wheel, &speed);
    pthread_create(&right, NULL, wheel, &speed);
    pthread_join(left, NULL);
    pthread_join(right, NULL);
    assert(speed.samples == 2); //@check
    printf("%d samples\n", speed.samples);
    return 0;
}
