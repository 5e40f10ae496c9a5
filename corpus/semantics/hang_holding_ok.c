/* unravel-corpus
 * title: main polls for the sensor's first sample before it takes the lock
 * stands-for: polling for something that another thread will do
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static atomic_int samples;

static void *sensor(void *arg) {
    pthread_mutex_lock(&table);
    samples = 1;
    pthread_mutex_unlock(&table);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sensor, NULL);
    while (samples == 0)
        ;
    pthread_mutex_lock(&table);
    int seen = samples;
    pthread_mutex_unlock(&table);
    pthread_join(thread, NULL);
    printf("%d sample\n", seen);
    return 0;
}
