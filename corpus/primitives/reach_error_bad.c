/* unravel-corpus
 * title: the error function is called when both flags are seen up
 * stands-for: reach_error
 * verdict: unsafe
 * property: reach
 * at: error
 * pattern: order violation
 * orders: raise < look
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);

static atomic_int fire = 0, water = 0;

static void *alarm_both(void *arg) {
    (void)arg;
    fire = 1;
    water = 1; //@raise
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, alarm_both, NULL);
    if (water && fire) //@look
        reach_error(); //@error
    pthread_join(t, NULL);
    return 0;
}
