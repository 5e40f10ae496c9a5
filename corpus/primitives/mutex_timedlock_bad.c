/* unravel-corpus
 * title: after a timeout the thread goes on without the mutex; an update is lost
 * stands-for: pthread_mutex_timedlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: count < count, count < count
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec deadline = {1, 0};
static int written = 0;

static void *write_block(void *arg) {
    (void)arg;
    bool held = pthread_mutex_timedlock(&disk, &deadline) == 0;
    written++; //@count
    if (held)
        pthread_mutex_unlock(&disk);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write_block, NULL);
    pthread_create(&b, NULL, write_block, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(written == 2); //@check
    return 0;
}
