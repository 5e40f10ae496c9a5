/* unravel-corpus
 * title: a job posts the semaphore only if it has taken it
 * stands-for: a mistake C programmers make: a cleanup that posts a semaphore which was not waited for, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A scanner for one job at a time. */
static sem_t scanner;
static atomic_int scanning;

struct job {
    bool cancelled;
};

static void scan(void) {
    int others = atomic_fetch_add(&scanning, 1); //@enter

    assert(others == 0); //@check
    scanning--;          //@leave
}

static void *job_run(void *arg) {
    const struct job *job = arg;

    if (job->cancelled)
        return NULL;
    sem_wait(&scanner); //@wait
    scan();
    sem_post(&scanner); //@post
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    struct job letter = {false}, photo = {false}, bill = {true};

    sem_init(&scanner, 0, 1);
    pthread_create(&threads[0], NULL, job_run, &letter);
    pthread_create(&threads[1], NULL, job_run, &photo);
    pthread_create(&threads[2], NULL, job_run, &bill);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    sem_destroy(&scanner);
    printf("%d scanning\n", scanning);
    return 0;
}
