/* unravel-corpus
 * title: the call waits for the answer before its job goes out of scope
 * stands-for: a mistake C programmers make: a thread that gets a pointer to a local variable of a call that can end first, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdio.h>

struct lookup {
    int name;
    int address;
};

static sem_t answered;

static void *resolver(void *arg) {
    struct lookup *l = arg;

    l->address = l->name + 1000; //@answer
    sem_post(&answered);         //@post
    return NULL;
}

/* The address of a name, however long it takes. */
static int resolve(int name, pthread_t *thread) {
    struct lookup lookup = {name, -1};

    pthread_create(thread, NULL, resolver, &lookup);
    sem_wait(&answered);
    return lookup.address;
} //@gone

int main(void) {
    pthread_t thread;

    sem_init(&answered, 0, 0);
    int address = resolve(7, &thread);
    pthread_join(thread, NULL);
    sem_destroy(&answered);
    printf("address %d\n", address);
    return 0;
}
