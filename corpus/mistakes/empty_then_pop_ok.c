/* unravel-corpus
 * title: a locked call takes an order if there is one
 * stands-for: a mistake C programmers make: a test for empty and a pop in two locked calls, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Orders on a spike, newest on top. */
static pthread_mutex_t spike_lock = PTHREAD_MUTEX_INITIALIZER;
static int orders[1] = {12};
static int count = 1;

/* Whether there was an order. */
static bool spike_pop(int *order) {
    pthread_mutex_lock(&spike_lock);
    bool any = count > 0; //@look
    if (any) {
        count--; //@drop
        *order = orders[count]; //@pop
    }
    pthread_mutex_unlock(&spike_lock);
    return any;
}

static void *cook(void *arg) {
    int *cooked = arg;

    if (!spike_pop(cooked))
        *cooked = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int cooked[2] = {0, 0};

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, cook, &cooked[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("order %d\n", cooked[0] + cooked[1]);
    return 0;
}
