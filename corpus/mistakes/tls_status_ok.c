/* unravel-corpus
 * title: the worker hands its status to main with the job
 * stands-for: a mistake C programmers make: a thread-local status that another thread should see, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

enum { OK = 0, DISK_FULL = 28 };

/* Like errno: the status of the last operation. */
static _Thread_local int last_status = OK;

static void backup_write(int blocks, int free_blocks) {
    last_status = blocks > free_blocks ? DISK_FULL : OK; //@note
}

struct job {
    int free_blocks;
    int status;
};

static void *backup(void *arg) {
    struct job *job = arg;

    backup_write(10, job->free_blocks);
    job->status = last_status;
    return NULL;
}

int main(void) {
    pthread_t worker;
    struct job job = {.free_blocks = 4, .status = OK};

    pthread_create(&worker, NULL, backup, &job);
    pthread_join(worker, NULL);
    assert(job.status == DISK_FULL); //@check
    printf("status %d\n", job.status);
    return 0;
}
