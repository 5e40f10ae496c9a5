/* unravel-corpus
 * title: two robots take two hand-made locks in opposite order and spin for the second
 * stands-for: deadlock of kind (c): compare-and-swap locks in opposite order
 * verdict: unsafe
 * property: deadlock
 * at: tray
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int arm, tray;

static void take(atomic_int *lock) {
    int free = 0;
    while (!atomic_compare_exchange_strong(lock, &free, 1))
        free = 0;
}

static void *welder(void *arg) {
    take(&arm);
    take(&tray); //@tray
    atomic_store(&tray, 0);
    atomic_store(&arm, 0);
    return arg;
}

static void *painter(void *arg) {
    take(&tray);
    take(&arm);
    atomic_store(&arm, 0);
    atomic_store(&tray, 0);
    return arg;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, welder, NULL);
    pthread_create(&two, NULL, painter, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
