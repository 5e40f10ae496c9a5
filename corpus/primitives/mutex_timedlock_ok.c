/* unravel-corpus
 * title: a thread gives up when the mutex does not come in time
 * stands-for: pthread_mutex_timedlock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec deadline = {1, 0};
static int written = 0, given_up[2];

static void *write_block(void *arg) {
    int *gave_up = arg;
    int rc = pthread_mutex_timedlock(&disk, &deadline);
    if (rc == ETIMEDOUT) {
        *gave_up = 1;
        return NULL;
    }
    assert(rc == 0);
    written++;
    pthread_mutex_unlock(&disk);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write_block, &given_up[0]);
    pthread_create(&b, NULL, write_block, &given_up[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(written + given_up[0] + given_up[1] == 2);
    printf("%d requests\n", written + given_up[0] + given_up[1]);
    return 0;
}
