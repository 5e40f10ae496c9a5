/* unravel-corpus
 * title: a thread ends the process while main waits for something that never comes
 * stands-for: exit, called by a thread
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t never;

static void *quit(void *arg) {
    (void)arg;
    printf("bye\n");
    exit(0);
}

int main(void) {
    pthread_t t;
    sem_init(&never, 0, 0);
    pthread_create(&t, NULL, quit, NULL);
    sem_wait(&never);
    return 1;
}
