/* unravel-corpus
 * title: one thread holds L2 and wants L1 back from its wait, the other holds L1 and wants L2
 * stands-for: BEST, Figure 2, the deadlock at (7a,8b) alone: the notification is remembered in a flag
 * verdict: unsafe
 * property: deadlock
 * at: s4, s5, s14
 * pattern: deadlock
 * orders: s1 < s14, s12 < s5; s1 < s14, s12 < s4
 * repair: lock-order
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

char *X, *Y;
int Z;
static bool notified = false;
static pthread_mutex_t L1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t L2 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t S = PTHREAD_COND_INITIALIZER;

static void *thread_a(void *arg) {
    int a;
    (void)arg;
    pthread_mutex_lock(&L2); //@s1
    a = ++Z;                 //@s2
    X = malloc((size_t)a);   //@s3
    pthread_mutex_lock(&L1); //@s4
    while (!notified)
        pthread_cond_wait(&S, &L1); //@s5
    pthread_mutex_unlock(&L2);      //@s9
    Y = 0;                          //@s10
    pthread_mutex_unlock(&L1);      //@s11
    return NULL;
}

static void *thread_b(void *arg) {
    (void)arg;
    pthread_mutex_lock(&L1); //@s6
    notified = true;
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
