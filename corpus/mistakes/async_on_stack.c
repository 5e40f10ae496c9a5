/* unravel-corpus
 * title: a call gives up waiting and returns; the worker still writes into the job on its stack
 * stands-for: a mistake C programmers make: a thread that gets a pointer to a local variable of a call that can end first
 * verdict: unsafe
 * property: memory
 * at: answer
 * pattern: use after free
 * orders: gone < answer
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

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

/* The address of a name, or -1 if there is no answer at once. */
static int resolve(int name, pthread_t *thread) {
    struct lookup lookup = {name, -1};

    pthread_create(thread, NULL, resolver, &lookup);
    if (sem_trywait(&answered) != 0) //@give_up
        return -1;
    return lookup.address;
} //@gone

int main(void) {
    pthread_t thread;

    sem_init(&answered, 0, 0);
    int address = resolve(7, &thread);
    pthread_join(thread, NULL);
    return address == -1 || address == 1007 ? 0 : 1;
}
