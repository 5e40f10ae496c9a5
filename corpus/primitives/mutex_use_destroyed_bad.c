/* unravel-corpus
 * title: the worker locks a mutex that main has destroyed
 * stands-for: pthread_mutex_lock of a destroyed mutex
 * verdict: unsafe
 * property: misuse
 * at: lock
 * pattern: order violation
 * orders: destroy < lock; close < open
 * repair: signal-wait, join
 */
#include <pthread.h>

static pthread_mutex_t registry = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t device;
static int pending = 1;

static void *work(void *arg) {
    (void)arg;
    pthread_mutex_lock(&registry); //@open
    pthread_mutex_lock(&device); //@lock
    pending--;
    pthread_mutex_unlock(&device);
    pthread_mutex_unlock(&registry);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&device, NULL);
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&registry); //@close
    pthread_mutex_destroy(&device); //@destroy
    pthread_mutex_unlock(&registry);
    pthread_join(t, NULL);
    return 0;
}
