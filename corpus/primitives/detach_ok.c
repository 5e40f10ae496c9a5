/* unravel-corpus
 * title: main waits for the detached thread through a semaphore
 * stands-for: pthread_detach
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int records;
static sem_t written;

static void *flush_log(void *arg) {
    (void)arg;
    records = 3;
    sem_post(&written);
    return NULL;
}

int main(void) {
    pthread_t logger;
    sem_init(&written, 0, 0);
    pthread_create(&logger, NULL, flush_log, NULL);
    pthread_detach(logger);
    sem_wait(&written);
    assert(records == 3);
    printf("%d records\n", records);
    return 0;
}
