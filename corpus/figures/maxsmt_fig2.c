/* unravel-corpus
 * title: the failing and the passing runs take different paths: y is cleared between store and test
 * stands-for: Concurrency Debugging with MaxSMT, Figure 2 (Figure 3 is its failing schedule)
 * verdict: unsafe
 * property: reach
 * at: T1_7
 * pattern: atomicity violation
 * orders: T2_1 < T1_1, T1_2 < T3_1, T1_4 < T3_2, T3_2 < T1_5; T1_4 < T3_2, T2_2 < T1_3, T2_3 < T3_2, T3_2 < T1_5
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

int x, y, z, w;

static void *t2(void *arg) {
    (void)arg;
    z = 1;     //@T2_1
    x = x + 1; //@T2_2
    y = y + 1; //@T2_3
    return NULL;
}

static void *t3(void *arg) {
    (void)arg;
    if (w > 0) //@T3_1
        y = 0; //@T3_2
    return NULL;
}

/* T1 is the main thread. */
int main(void) {
    pthread_t id2, id3;
    pthread_create(&id2, NULL, t2, NULL);
    pthread_create(&id3, NULL, t3, NULL);
    if (z > 0)     //@T1_1
        w++;       //@T1_2
    x = 1;         //@T1_3
    y = 1;         //@T1_4
    if (y == 0)    //@T1_5
        x = x - 1; //@T1_6
    assert(x > 0); //@T1_7
    return 0;
}
