/* unravel-corpus
 * title: every thread gets a slot number of its own as argument
 * stands-for: pthread_create, the argument
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int served[3];
static int number[2] = {0, 1};

static void *serve(void *arg) {
    int table = *(int *)arg;
    served[table] = 1;
    return NULL;
}

int main(void) {
    pthread_t waiter[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&waiter[i], NULL, serve, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(waiter[i], NULL);
    assert(served[0] && served[1]);
    printf("served %d tables\n", served[0] + served[1] + served[2]);
    return 0;
}
