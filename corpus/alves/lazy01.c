/* unravel-corpus
 * title: the check itself is wrong: the lift alarm goes off at the load that the two passengers make
 * stands-for: Alves et al., Table 3, lazy01
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: child < weigh, adult < weigh; child < adult, adult < weigh; adult < child, child < weigh
 * repair: signal-wait
 * faulty-lines: child, adult, check
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define FULL 3 /* a child counts once, an adult twice */

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static int load;

static void *child(void *arg) {
    pthread_mutex_lock(&door);
    load = load + 1; //@child
    pthread_mutex_unlock(&door);
    return arg;
}

static void *adult(void *arg) {
    pthread_mutex_lock(&door);
    load = load + 2; //@adult
    pthread_mutex_unlock(&door);
    return arg;
}

/* A full lift may go. */
static void *alarm_bell(void *arg) {
    pthread_mutex_lock(&door);
    int weight = load; //@weigh
    assert(weight < FULL); //@check
    pthread_mutex_unlock(&door);
    return arg;
}

int main(void) {
    pthread_t first, second, bell;

    pthread_create(&first, NULL, child, NULL);
    pthread_create(&second, NULL, adult, NULL);
    pthread_create(&bell, NULL, alarm_bell, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(bell, NULL);
    return 0;
}
