/* unravel-corpus
 * title: three philosophers each take the lower fork first
 * stands-for: deadlock: a cycle of three threads, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t fork_[3] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int seat[3] = {0, 1, 2};

static void *dine(void *arg) {
    int me = *(int *)arg;
    int next = (me + 1) % 3;
    int low = me < next ? me : next;
    int high = me < next ? next : me;
    pthread_mutex_lock(&fork_[low]);
    pthread_mutex_lock(&fork_[high]);
    pthread_mutex_unlock(&fork_[high]);
    pthread_mutex_unlock(&fork_[low]);
    return NULL;
}

int main(void) {
    pthread_t guest[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&guest[i], NULL, dine, &seat[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(guest[i], NULL);
    printf("all have eaten\n");
    return 0;
}
