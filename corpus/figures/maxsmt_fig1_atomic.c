/* unravel-corpus
 * title: two independent orders each decide the sum; every update is one step
 * stands-for: Concurrency Debugging with MaxSMT, Figure 1, each statement atomic as its discussion assumes
 * verdict: unsafe
 * property: reach
 * at: T1_5
 * pattern: order violation
 * orders: T4_1 < T2_1; T5_1 < T3_1
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>

int x = 0, y = 1, z = -1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t2(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x = x + y; //@T2_1
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *t3(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x = x + z; //@T3_1
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *t4(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    y = y + 1; //@T4_1
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *t5(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    z = z + 1; //@T5_1
    pthread_mutex_unlock(&m);
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
