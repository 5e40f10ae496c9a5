/* unravel-corpus
 * title: two independent orders each decide the sum: y and z must be read before they change
 * stands-for: Concurrency Debugging with MaxSMT, Figure 1 (x = x + y is a read and a later write, so an update of x can be lost too)
 * verdict: unsafe
 * property: reach
 * at: T1_5
 * pattern: order violation
 * orders: T4_1 < T2_1; T5_1 < T3_1; T2_1 < T3_1, T3_1 < T2_1
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

int x = 0, y = 1, z = -1;

static void *t2(void *arg) {
    (void)arg;
    x = x + y; //@T2_1
    return NULL;
}

static void *t3(void *arg) {
    (void)arg;
    x = x + z; //@T3_1
    return NULL;
}

static void *t4(void *arg) {
    (void)arg;
    y = y + 1; //@T4_1
    return NULL;
}

static void *t5(void *arg) {
    (void)arg;
    z = z + 1; //@T5_1
    return NULL;
}

int main(void) {
    pthread_t id2, id3, id4, id5;
    pthread_create(&id2, NULL, t2, NULL);
    pthread_create(&id3, NULL, t3, NULL);
    pthread_create(&id4, NULL, t4, NULL);
    pthread_create(&id5, NULL, t5, NULL);
    pthread_join(id2, NULL); //@T1_1
    pthread_join(id3, NULL); //@T1_2
    pthread_join(id4, NULL); //@T1_3
    pthread_join(id5, NULL); //@T1_4
    assert(x == 0);          //@T1_5
    return 0;
}
