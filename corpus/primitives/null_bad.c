/* unravel-corpus
 * title: the description is tested, cleared by another thread, and then read
 * stands-for: null pointer (as in mysql-3596)
 * verdict: unsafe
 * property: memory
 * at: print
 * pattern: atomicity violation
 * orders: test < clear, clear < print
 * repair: mutex
 */
#include <pthread.h>
#include <stddef.h>

static int number = 12;
static int *description = &number;

static void *finish(void *arg) {
    (void)arg;
    description = NULL; //@clear
    return NULL;
}

int main(void) {
    pthread_t t;
    int shown = 0;
    pthread_create(&t, NULL, finish, NULL);
    if (description != NULL)  //@test
        shown = *description; //@print
    pthread_join(t, NULL);
    return shown == 100;
}
