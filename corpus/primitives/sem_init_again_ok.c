/* unravel-corpus
 * title: the gate is set up again when the guest is through and the old one is destroyed
 * stands-for: sem_init, sem_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t gate;

static void *guest(void *arg) {
    sem_wait(&gate);
    return arg;
}

int main(void) {
    pthread_t t;
    int open;
    sem_init(&gate, 0, 0);
    pthread_create(&t, NULL, guest, NULL);
    sem_post(&gate);
    pthread_join(t, NULL);
    sem_destroy(&gate);
    sem_init(&gate, 0, 2);
    sem_getvalue(&gate, &open);
    assert(open == 2);
    sem_destroy(&gate);
    puts("two may enter");
    return 0;
}
