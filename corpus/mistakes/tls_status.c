/* unravel-corpus
 * title: the worker notes its error in a thread-local variable, and main looks into its own
 * stands-for: a mistake C programmers make: a thread-local status that another thread should see
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { OK = 0, DISK_FULL = 28 };

/* Like errno: the status of the last operation. */
static _Thread_local int last_status = OK;

static void backup_write(int blocks, int free_blocks) {
    last_status = blocks > free_blocks ? DISK_FULL : OK; //@note
}

static void *backup(void *arg) {
    const int *free_blocks = arg;

    backup_write(10, *free_blocks);
    return NULL;
}

int main(void) {
    pthread_t worker;
    int free_blocks = 4;

    pthread_create(&worker, NULL, backup, &free_blocks);
    pthread_join(worker, NULL);
    assert(last_status == DISK_FULL); //@check
    return 0;
}
