/* unravel-corpus
 * title: the two sides protect the same counter with different mutexes
 * stands-for: pthread_mutex_lock, pthread_mutex_unlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: in < out, out < in
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t door_in = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t door_out = PTHREAD_MUTEX_INITIALIZER;
static int visitors = 5;

static void *enter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&door_in);
    visitors++; //@in
    pthread_mutex_unlock(&door_in);
    return NULL;
}

static void *leave(void *arg) {
    (void)arg;
    pthread_mutex_lock(&door_out);
    visitors--; //@out
    pthread_mutex_unlock(&door_out);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, leave, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visitors == 5); //@check
    return 0;
}
