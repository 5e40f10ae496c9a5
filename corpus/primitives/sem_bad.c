/* unravel-corpus
 * title: a semaphore that should let one thread in starts at two
 * stands-for: sem_init, the value
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: count < count, count < count
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t gate;
static int visitors = 0;

static void *enter(void *arg) {
    (void)arg;
    sem_wait(&gate);
    visitors++; //@count
    sem_post(&gate);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&gate, 0, 2);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visitors == 2); //@check
    return 0;
}
