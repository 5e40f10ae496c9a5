/* unravel-corpus
 * title: an early return keeps the spin lock
 * stands-for: pthread_spin_lock that is never released
 * verdict: unsafe
 * property: deadlock
 * at: lock
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

static pthread_spinlock_t s;
static int queued = 0;

static void *enqueue(void *arg) {
    (void)arg;
    pthread_spin_lock(&s); //@lock
    if (queued == 1)
        return NULL; //@full
    queued++;
    pthread_spin_unlock(&s);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, enqueue, NULL);
    pthread_create(&b, NULL, enqueue, NULL);
    pthread_create(&c, NULL, enqueue, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
