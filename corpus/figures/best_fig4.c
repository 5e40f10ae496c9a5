/* unravel-corpus
 * title: a reader combines the old buffer with the new length
 * stands-for: BEST, Figure 4 (threads Mc and Md), serializability of the pair stated as an assertion
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: c1 < d2, d1 < c3
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *X, *Y;
int Z = 3;

static void *thread_c(void *arg) {
    int c1;
    (void)arg;
    Z = Z - 1;              //@c1
    c1 = Z;                 //@c2
    X = malloc((size_t)c1); //@c3
    return NULL;
}

static void *thread_d(void *arg) {
    char *d1;
    int d2;
    (void)arg;
    d1 = X;      //@d1
    d2 = Z - 1;  //@d2
    Y = d1 + d2; //@d3
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
    /* Y is the last byte of the old buffer, or of the new one. */
    assert(Y == before + 2 || Y == X + 1); //@check
    return 0;
}
