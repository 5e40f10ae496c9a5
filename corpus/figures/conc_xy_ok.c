/* unravel-corpus
 * title: the writes of x and y are one critical section in either thread
 * stands-for: ConcBugAssist, Figure 8, the composite repair of Figure 3
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x = 0; //@L1
int y = 0; //@L2

static void *f1(void *arg) { //@L4
    (void)arg;
    pthread_mutex_lock(&m);
    x = 0; //@L5
    y = 0; //@L6
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *f2(void *arg) { //@L9
    (void)arg;
    pthread_mutex_lock(&m);
    x = 1; //@L10
    y = 1; //@L11
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) { //@L16
    pthread_t t1, t2; //@L17
    pthread_create(&t1, NULL, f1, NULL); //@L18
    pthread_create(&t2, NULL, f2, NULL); //@L19

    pthread_join(t1, NULL); //@L21
    pthread_join(t2, NULL); //@L22
    assert(x == y);         //@L23
    printf("x and y agree\n");
    return 0; //@L24
}
