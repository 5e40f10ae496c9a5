/* unravel-corpus
 * title: the second thread waits until the first has written x and y
 * stands-for: ConcBugAssist, Figure 7, solution (A) of Figure 3 (line 6 before line 10)
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t first_done = PTHREAD_COND_INITIALIZER;
static bool first_is_done = false;
int x = 0; //@L1
int y = 0; //@L2

static void *f1(void *arg) { //@L4
    (void)arg;
    x = 0; //@L5
    y = 0; //@L6
    pthread_mutex_lock(&m);
    first_is_done = true;
    pthread_cond_signal(&first_done);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *f2(void *arg) { //@L9
    (void)arg;
    pthread_mutex_lock(&m);
    while (!first_is_done)
        pthread_cond_wait(&first_done, &m);
    pthread_mutex_unlock(&m);
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
    printf("x=%d y=%d\n", x, y);
    return 0; //@L24
}
