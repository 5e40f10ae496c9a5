/* unravel-corpus
 * title: test and use of the shared value are one critical section
 * stands-for: ConcBugAssist, Figure 2, repaired with a mutex
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_t t1; //@L0
int x = 1;    //@L1

static void *f(void *arg) { //@L3
    (void)arg;
    pthread_mutex_lock(&m);
    x = 0; //@L4
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) { //@L7
    pthread_create(&t1, NULL, f, NULL); //@L8
    pthread_mutex_lock(&m);
    if (x != 0)         //@L9
        assert(x != 0); //@L10
    pthread_mutex_unlock(&m);
    pthread_join(t1, NULL);
    printf("x ends as %d\n", x);
    return 0; //@L11
}
