/* unravel-corpus
 * title: the scheduler waits with one mutex and the jobs are added under another
 * stands-for: an everyday program: a scheduler of jobs with a worker
 * verdict: unsafe
 * property: deadlock
 * at: wait, join
 * fault: wrong, set
 * pattern: lost wakeup
 * repair: mutex, predicate-loop
 * patch: scheduler.c
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    char name[16];
    int priority;
    struct job *next;
};

static struct job *jobs;
static bool closed;
static pthread_mutex_t jobs_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t jobs_changed = PTHREAD_COND_INITIALIZER;

static int done;
static pthread_mutex_t done_lock = PTHREAD_MUTEX_INITIALIZER;

/* Keeps the list sorted by priority. */
static void add_job(const char *name, int priority) {
    struct job *job = malloc(sizeof *job);
    struct job **place = &jobs;

    if (job == NULL) {
        fprintf(stderr, "no memory for %s\n", name);
        exit(1);
    }
    snprintf(job->name, sizeof job->name, "%s", name);
    job->priority = priority;
    pthread_mutex_lock(&jobs_lock);
    while (*place != NULL && (*place)->priority >= priority)
        place = &(*place)->next;
    job->next = *place;
    *place = job;
    pthread_cond_signal(&jobs_changed);
    pthread_mutex_unlock(&jobs_lock);
}

static void close_jobs(void) {
    pthread_mutex_lock(&done_lock); //@wrong
    closed = true; //@set
    pthread_cond_signal(&jobs_changed);
    pthread_mutex_unlock(&done_lock);
}

static void *worker(void *arg) {
    (void)arg;
    for (;;) {
        pthread_mutex_lock(&jobs_lock);
        while (jobs == NULL && !closed)
            pthread_cond_wait(&jobs_changed, &jobs_lock); //@wait
        struct job *job = jobs;
        if (job != NULL)
            jobs = job->next;
        pthread_mutex_unlock(&jobs_lock);
        if (job == NULL)
            return NULL;
        usleep(100);
        free(job);
        pthread_mutex_lock(&done_lock);
        done++;
        pthread_mutex_unlock(&done_lock);
    }
}

int main(void) {
    pthread_t thread;

    if (pthread_create(&thread, NULL, worker, NULL) != 0) {
        perror("pthread_create");
        return 1;
    }
    add_job("backup", 1);
    close_jobs();
    pthread_join(thread, NULL); //@join
    printf("%d jobs done\n", done);
    return 0;
}
