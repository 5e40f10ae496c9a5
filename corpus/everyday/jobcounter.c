/* unravel-corpus
 * title: a job that is done is counted down without the lock, and two count down as one
 * stands-for: an everyday program: a counter of open jobs that main waits for
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: minus
 * pattern: atomicity violation
 * repair: mutex, atomic
 * patch: jobcounter.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define JOBS 3

struct counter {
    pthread_mutex_t lock;
    int open;
    int failed;
};

static struct counter counter = {PTHREAD_MUTEX_INITIALIZER, 0, 0};

static void counter_add(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    c->open++;
    pthread_mutex_unlock(&c->lock);
}

static void counter_done(struct counter *c, int failed) {
    if (failed) {
        pthread_mutex_lock(&c->lock);
        c->failed++;
        pthread_mutex_unlock(&c->lock);
    }
    c->open--; //@minus
}

static int counter_open(struct counter *c) {
    pthread_mutex_lock(&c->lock);
    int open = c->open;
    pthread_mutex_unlock(&c->lock);
    return open;
}

static void *job(void *arg) {
    int number = *(int *)arg;

    usleep(100);
    counter_done(&counter, number == 1);
    return NULL;
}

int main(void) {
    static int numbers[JOBS];
    pthread_t threads[JOBS];

    for (int i = 0; i < JOBS; i++) {
        numbers[i] = i;
        counter_add(&counter);
        if (pthread_create(&threads[i], NULL, job, &numbers[i]) != 0) {
            perror("pthread_create");
            exit(1);
        }
    }
    for (int i = 0; i < JOBS; i++)
        pthread_join(threads[i], NULL);
    assert(counter_open(&counter) == 0); //@check
    printf("%d of %d jobs failed\n", counter.failed, JOBS);
    return 0;
}
