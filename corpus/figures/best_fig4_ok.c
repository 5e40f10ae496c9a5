/* unravel-corpus
 * title: buffer and length change, and are read, in one critical section
 * stands-for: BEST, Figure 4 (threads Mc and Md), repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

char *X, *Y;
int Z = 3;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *thread_c(void *arg) {
    int c1;
    (void)arg;
    pthread_mutex_lock(&m);
    Z = Z - 1;              //@c1
    c1 = Z;                 //@c2
    X = malloc((size_t)c1); //@c3
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *thread_d(void *arg) {
    char *d1;
    int d2;
    (void)arg;
    pthread_mutex_lock(&m);
    d1 = X;      //@d1
    d2 = Z - 1;  //@d2
    Y = d1 + d2; //@d3
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t tc, td;
    char *before = malloc((size_t)Z);
    X = before;
    pthread_create(&tc, NULL, thread_c, NULL);
    pthread_create(&td, NULL, thread_d, NULL);
    pthread_join(tc, NULL);
    pthread_join(td, NULL);
    assert(Y == before + 2 || Y == X + 1); //@check
    printf("Z=%d\n", Z);
    return 0;
}
