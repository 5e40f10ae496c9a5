/* unravel-corpus
 * title: the only run that would block ends in a failed assumption
 * stands-for: __VERIFIER_assume, which is no deadlock
 * verdict: safe
 */
#include <pthread.h>
#include <semaphore.h>

extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

static sem_t ready;

static void *prepare(void *arg) {
    (void)arg;
    _Bool works = __VERIFIER_nondet_bool();
    __VERIFIER_assume(works);
    sem_post(&ready);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, prepare, NULL);
    sem_wait(&ready);
    pthread_join(t, NULL);
    return 0;
}
