/* unravel-corpus
 * title: one thread uses the bandwidth object before the other has allocated it
 * stands-for: ConcBugAssist, Figure 10 (thesis, Figure 5.2), transmission-1.42
 * verdict: unsafe
 * property: reach
 * at: L5
 * pattern: order violation
 * orders: L5 < L2
 * repair: signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int *bandwidth;

static void *t1_main(void *arg) { //@L1
    (void)arg;
    bandwidth = malloc(sizeof *bandwidth); //@L2
    return NULL;
}

static void *t2_main(void *arg) { //@L4
    (void)arg;
    assert(bandwidth != NULL); //@L5
    *bandwidth = 100;          //@L6
    return NULL;
}

int main(void) { //@L8
    pthread_t t1, t2; //@L9
    pthread_create(&t1, NULL, t1_main, NULL); //@L10
    pthread_create(&t2, NULL, t2_main, NULL); //@L11
    pthread_exit(NULL); //@L12
}
