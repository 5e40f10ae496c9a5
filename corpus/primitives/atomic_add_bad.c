/* unravel-corpus
 * title: an atomic load and an atomic store are not an atomic addition
 * stands-for: C11 atomic_load, atomic_store
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: load < store, load < store; load < store, store < store
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_ticket = 10;
static int ticket[2];

static void *draw(void *arg) {
    int *mine = arg;
    *mine = atomic_load(&next_ticket);     //@load
    atomic_store(&next_ticket, *mine + 1); //@store
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, draw, &ticket[0]);
    pthread_create(&b, NULL, draw, &ticket[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ticket[0] != ticket[1]); //@check
    return 0;
}
