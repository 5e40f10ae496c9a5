/* unravel-corpus
 * title: the barrier waits for three, only two come
 * stands-for: pthread_barrier_init, the count
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

static pthread_barrier_t phase;

static void *step(void *arg) {
    (void)arg;
    pthread_barrier_wait(&phase); //@wait
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_barrier_init(&phase, NULL, 3);
    pthread_create(&a, NULL, step, NULL);
    pthread_create(&b, NULL, step, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
