/* unravel-corpus
 * title: two cooks see that there is an order and both take it; the second one takes what is not there
 * stands-for: a mistake C programmers make: a test for empty and a pop in two locked calls
 * verdict: unsafe
 * property: memory
 * at: pop
 * pattern: atomicity violation
 * orders: look < drop, drop < pop
 * repair: widen, mutex
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Orders on a spike, newest on top. Every function takes the lock. */
static pthread_mutex_t spike_lock = PTHREAD_MUTEX_INITIALIZER;
static int orders[1] = {12};
static int count = 1;

static bool spike_is_empty(void) {
    pthread_mutex_lock(&spike_lock);
    bool empty = count == 0; //@look
    pthread_mutex_unlock(&spike_lock);
    return empty;
}

static int spike_pop(void) {
    pthread_mutex_lock(&spike_lock);
    count--; //@drop
    int order = orders[count]; //@pop
    pthread_mutex_unlock(&spike_lock);
    return order;
}

static void *cook(void *arg) {
    int *cooked = arg;

    if (!spike_is_empty())
        *cooked = spike_pop();
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int cooked[2] = {0, 0};

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, cook, &cooked[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return cooked[0] + cooked[1] == 12 ? 0 : 1;
}
