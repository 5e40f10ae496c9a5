/* unravel-corpus
 * title: a car that finds no free place drives on
 * stands-for: sem_trywait
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t places;
static int parked[2];

static void *arrive(void *arg) {
    int *me = arg;
    if (sem_trywait(&places) == 0)
        *me = 1;
    else
        assert(errno == EAGAIN);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&places, 0, 1);
    pthread_create(&a, NULL, arrive, &parked[0]);
    pthread_create(&b, NULL, arrive, &parked[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(parked[0] + parked[1] == 1);
    printf("%d parked\n", parked[0] + parked[1]);
    return 0;
}
