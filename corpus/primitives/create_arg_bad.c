/* unravel-corpus
 * title: the threads get the address of the loop variable, which moves on before they read it
 * stands-for: pthread_create, the argument
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: next < read
 * repair: join, signal-wait
 */
#include <assert.h>
#include <pthread.h>

static int served[3];

static void *serve(void *arg) {
    int table = *(int *)arg; //@read
    served[table] = 1;
    return NULL;
}

int main(void) {
    pthread_t waiter[2];
    int i;
    for (i = 0; i < 2; i++) //@next
        pthread_create(&waiter[i], NULL, serve, &i);
    for (int k = 0; k < 2; k++)
        pthread_join(waiter[k], NULL);
    assert(served[0] && served[1]); //@check
    return 0;
}
