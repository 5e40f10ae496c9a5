/* unravel-corpus
 * title: main checks the counter and joins neither of the two threads that increase it
 * stands-for: Alves et al., no_sync (text not public; rebuilt from its description)
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: check < inc
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter = 0;

static void *increase(void *arg) {
    (void)arg;
    counter++; //@inc
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, increase, NULL);
    pthread_create(&t2, NULL, increase, NULL);
    assert(counter == 2); //@check
    return 0;
}
