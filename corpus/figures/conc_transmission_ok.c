/* unravel-corpus
 * title: the user of the bandwidth object waits until it has been allocated
 * stands-for: ConcBugAssist, Figure 10, transmission-1.42 with line 2 before line 5
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t allocated = PTHREAD_COND_INITIALIZER;
int *bandwidth;

static void *t1_main(void *arg) { //@L1
    (void)arg;
    pthread_mutex_lock(&m);
    bandwidth = malloc(sizeof *bandwidth); //@L2
    pthread_cond_signal(&allocated);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *t2_main(void *arg) { //@L4
    (void)arg;
    pthread_mutex_lock(&m);
    while (bandwidth == NULL)
        pthread_cond_wait(&allocated, &m);
    pthread_mutex_unlock(&m);
    assert(bandwidth != NULL); //@L5
    *bandwidth = 100;          //@L6
    printf("bandwidth %d\n", *bandwidth);
    return NULL;
}

int main(void) { //@L8
    pthread_t t1, t2; //@L9
    pthread_create(&t1, NULL, t1_main, NULL); //@L10
    pthread_create(&t2, NULL, t2_main, NULL); //@L11
    pthread_detach(t1);
    pthread_detach(t2);
    pthread_exit(NULL); //@L12
}
