/* unravel-corpus
 * title: main tests a shared value and then relies on it; the child clears it in between
 * stands-for: ConcBugAssist, Figure 2 (thesis, Figure 2.1), the motivating example (testc)
 * verdict: unsafe
 * property: reach
 * at: L10
 * pattern: atomicity violation
 * orders: L9 < L4, L4 < L10
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

pthread_t t1; //@L0
int x = 1;    //@L1

static void *f(void *arg) { //@L3
    (void)arg;
    x = 0; //@L4
    return NULL;
}

int main(void) { //@L7
    pthread_create(&t1, NULL, f, NULL); //@L8
    if (x != 0)                         //@L9
        assert(x != 0);                 //@L10
    return 0;                           //@L11
}
