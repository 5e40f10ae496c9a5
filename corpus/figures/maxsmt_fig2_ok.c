/* unravel-corpus
 * title: the store and the test of y are one critical section
 * stands-for: Concurrency Debugging with MaxSMT, Figure 2, repaired with a mutex
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int x, y, z, w;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *t2(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    z = 1;     //@T2_1
    x = x + 1; //@T2_2
    y = y + 1; //@T2_3
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *t3(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    if (w > 0) //@T3_1
        y = 0; //@T3_2
    pthread_mutex_unlock(&m);
    return NULL;
}

/* T1 is the main thread. */
int main(void) {
    pthread_t id2, id3;
    pthread_create(&id2, NULL, t2, NULL);
    pthread_create(&id3, NULL, t3, NULL);
    pthread_mutex_lock(&m);
    if (z > 0)     //@T1_1
        w++;       //@T1_2
    x = 1;         //@T1_3
    y = 1;         //@T1_4
    if (y == 0)    //@T1_5
        x = x - 1; //@T1_6
    assert(x > 0); //@T1_7
    pthread_mutex_unlock(&m);
    pthread_join(id2, NULL);
    pthread_join(id3, NULL);
    printf("x stayed positive\n");
    return 0;
}
