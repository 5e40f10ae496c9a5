/* unravel-corpus
 * title: a seat is taken under a lock, but one thread tests for it outside
 * stands-for: orders are between steps that some run executes both
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: take < grab, grab < test
 */
#include <assert.h>
#include <pthread.h>
int used;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void take(void) {
    pthread_mutex_lock(&m);
    if (used >= 1) { //@test
        pthread_mutex_unlock(&m); return;
    }
    used++; //@take
    pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
    (void)arg;
    if (used >= 1) return 0; //@look
    pthread_mutex_lock(&m);
    used++; //@grab
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    take();
    take();
    pthread_join(t, 0);
    assert(used <= 1); //@check
    return 0;
}
