/* unravel-corpus
 * title: a lock cycle through a condition wait, and a notify that may come too early
 * stands-for: BEST, Figure 2, the whole two-thread example
 * verdict: unsafe
 * property: deadlock
 * at: s4, s5, s14
 * pattern: deadlock
 * orders: s7 < s5; s12 < s5; s1 < s14, s12 < s5; s1 < s14, s12 < s4
 * repair: lock-order
 */
#include <pthread.h>
#include <stdlib.h>

char *X, *Y;
int Z;
static pthread_mutex_t L1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t L2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t S = PTHREAD_COND_INITIALIZER;

static void *thread_a(void *arg) {
    int a;
    (void)arg;
    pthread_mutex_lock(&L2);    //@s1
    a = ++Z;                    //@s2
    X = malloc((size_t)a);      //@s3
    pthread_mutex_lock(&L1);    //@s4
    pthread_cond_wait(&S, &L1); //@s5
    pthread_mutex_unlock(&L2);  //@s9
    Y = 0;                      //@s10
    pthread_mutex_unlock(&L1);  //@s11
    return NULL;
}

static void *thread_b(void *arg) {
    (void)arg;
    pthread_mutex_lock(&L1);   //@s6
    pthread_cond_signal(&S);   //@s7
    pthread_mutex_unlock(&L1); //@s8
    pthread_mutex_lock(&L1);   //@s12
    Y = &X[Z - 1];             //@s13
    pthread_mutex_lock(&L2);   //@s14
    pthread_mutex_unlock(&L2); //@s15
    pthread_mutex_unlock(&L1); //@s16
    return NULL;
}

int main(void) {
    pthread_t ta, tb;
    pthread_create(&ta, NULL, thread_a, NULL);
    pthread_create(&tb, NULL, thread_b, NULL);
    pthread_join(ta, NULL);
    pthread_join(tb, NULL);
    return 0;
}
