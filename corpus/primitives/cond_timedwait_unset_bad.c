/* unravel-corpus
 * title: the deadline of a wait was never set
 * stands-for: pthread_cond_timedwait
 * verdict: unsafe
 * property: reach
 * at: check
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec deadline;
    pthread_mutex_lock(&table);
    int rc = pthread_cond_timedwait(&served, &table, &deadline);
    pthread_mutex_unlock(&table);
    assert(rc != EINVAL); //@check
    return 0;
}
