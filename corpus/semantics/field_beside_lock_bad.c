/* unravel-corpus
 * title: a flag is briefly off; an array with a computed index lies in one struct with a mutex
 * stands-for: writes beside a lock are no writes over it
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: off < check, check < on
 */
#include <assert.h>
#include <pthread.h>
static struct { pthread_mutex_t guard; int ready, query[2], used; } c = {.guard = PTHREAD_MUTEX_INITIALIZER, .ready = 1};
static void *admin(void *arg) {
    (void)arg;
    c.ready = 0; //@off
    c.ready = 1; //@on
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, admin, 0);
    assert(c.ready); //@check
    pthread_mutex_lock(&c.guard);
    c.query[c.used] = 17;
    pthread_mutex_unlock(&c.guard);
    return 0;
}
