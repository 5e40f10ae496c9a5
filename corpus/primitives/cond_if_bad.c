/* unravel-corpus
 * title: the guest does not look again after waking up
 * stands-for: pthread_cond_wait without a loop: spurious wakeup
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < cook
 * repair: predicate-loop
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t served = PTHREAD_COND_INITIALIZER;
static bool ready = false;
static int dish = 0;

static void *cook(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table);
    dish = 42; //@cook
    ready = true;
    pthread_cond_signal(&served);
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, cook, NULL);
    pthread_mutex_lock(&table);
    if (!ready)
        pthread_cond_wait(&served, &table);
    assert(dish == 42); //@check
    pthread_mutex_unlock(&table);
    pthread_join(t, NULL);
    return 0;
}
