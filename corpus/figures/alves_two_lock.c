/* unravel-corpus
 * title: a thread waits for one mutex while it holds the other; the holder wants the first back
 * stands-for: Alves et al., Figure 7, the illustrative example
 * verdict: unsafe
 * property: deadlock
 * at: L4, L6, L14, L16
 * pattern: deadlock
 * orders: L4 < L14, L12 < L6; L14 < L4, L2 < L16; L12 < L6, L2 < L12; L2 < L16, L12 < L2
 * repair: widen, mutex, signal-wait
 * faulty-lines: L3, L13
 */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int A_count, B_count;

static void *threadA(void *arg) { //@L1
    (void)arg;
    pthread_mutex_lock(&mutex); //@L2
    ++A_count;                  //@L3
    if (A_count == 1) pthread_mutex_lock(&lock); //@L4
    pthread_mutex_unlock(&mutex);                //@L5
    pthread_mutex_lock(&mutex);                  //@L6
    --A_count;                                   //@L7
    if (A_count == 0) pthread_mutex_unlock(&lock); //@L8
    pthread_mutex_unlock(&mutex);                  //@L9
    return NULL;
}

static void *threadB(void *arg) { //@L11
    (void)arg;
    pthread_mutex_lock(&mutex); //@L12
    ++B_count;                  //@L13
    if (B_count == 1) pthread_mutex_lock(&lock); //@L14
    pthread_mutex_unlock(&mutex);                //@L15
    pthread_mutex_lock(&mutex);                  //@L16
    --B_count;                                   //@L17
    if (B_count == 0) pthread_mutex_unlock(&lock); //@L18
    pthread_mutex_unlock(&mutex);                  //@L19
    return NULL;
}

int main(void) { //@L21
    pthread_t A, B; //@L22
    A_count = 0; B_count = 0; //@L23
    pthread_create(&A, NULL, threadA, NULL); //@L24
    pthread_create(&B, NULL, threadB, NULL); //@L25
    pthread_join(A, NULL); //@L26
    pthread_join(B, NULL); //@L27
    return EXIT_SUCCESS;   //@L28
}
