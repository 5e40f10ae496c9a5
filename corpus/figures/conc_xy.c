/* unravel-corpus
 * title: two threads write x and y in the same order; the writes interleave
 * stands-for: ConcBugAssist, Figure 3 (thesis, Figure 3.2), the x/y example (mysql-169)
 * verdict: unsafe
 * property: reach
 * at: L23
 * pattern: atomicity violation
 * orders: L5 < L10, L11 < L6; L10 < L5, L6 < L11
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

int x = 0; //@L1
int y = 0; //@L2

static void *f1(void *arg) { //@L4
    (void)arg;
    x = 0; //@L5
    y = 0; //@L6
    return NULL;
}

static void *f2(void *arg) { //@L9
    (void)arg;
    x = 1; //@L10
    y = 1; //@L11
    return NULL;
}

int main(void) { //@L16
    pthread_t t1, t2; //@L17
    pthread_create(&t1, NULL, f1, NULL); //@L18
    pthread_create(&t2, NULL, f2, NULL); //@L19

    pthread_join(t1, NULL); //@L21
    pthread_join(t2, NULL); //@L22
    assert(x == y);         //@L23
    return 0;               //@L24
}
