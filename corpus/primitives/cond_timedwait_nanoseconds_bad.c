/* unravel-corpus
 * title: half a second is added to a deadline without a carry, and the wait is refused at once
 * stands-for: pthread_cond_timedwait
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec deadline = {1, 700000000};
    deadline.tv_nsec += 500000000;
    pthread_mutex_lock(&table);
    int rc = pthread_cond_timedwait(&served, &table, &deadline);
    pthread_mutex_unlock(&table);
    assert(rc == 0 || rc == ETIMEDOUT); //@check
    return 0;
}
