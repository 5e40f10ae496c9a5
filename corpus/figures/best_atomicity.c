/* unravel-corpus
 * title: length and buffer are renewed under one lock and read under another
 * stands-for: BEST, Figure 2, the atomicity violation of [RW(Z) W(X)] by [R(Z) W(Y)], with a write through Y
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: atomicity violation
 * orders: s2 < s13, s13 < s3
 * repair: mutex
 */
#include <pthread.h>
#include <stdlib.h>

char *X, *Y;
int Z = 1;
static pthread_mutex_t L1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t L2 = PTHREAD_MUTEX_INITIALIZER;

static void *thread_a(void *arg) {
    int a;
    (void)arg;
    pthread_mutex_lock(&L2); //@s1
    a = ++Z;                 //@s2
    X = malloc((size_t)a);   //@s3
    pthread_mutex_unlock(&L2);
    return NULL;
}

static void *thread_b(void *arg) {
    (void)arg;
    pthread_mutex_lock(&L1); //@s12
    Y = &X[Z - 1];           //@s13
    *Y = 'e';                //@use
    pthread_mutex_unlock(&L1);
    return NULL;
}

int main(void) {
    pthread_t ta, tb;
    X = malloc(1);
    pthread_create(&ta, NULL, thread_a, NULL);
    pthread_create(&tb, NULL, thread_b, NULL);
    pthread_join(ta, NULL);
    pthread_join(tb, NULL);
    return 0;
}
