/* unravel-corpus
 * title: a thread ends deep in a call, main ends before its worker
 * stands-for: pthread_exit, in a thread and in main
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int depth_reached;

static void descend(int depth) {
    if (depth < 3)
        descend(depth + 1);
    if (depth == 3) {
        depth_reached = depth;
        pthread_exit(&depth_reached);
    }
}

static void *dive(void *arg) {
    (void)arg;
    descend(0);
    assert(0);
    return NULL;
}

static void *report(void *arg) {
    (void)arg;
    pthread_t diver;
    void *depth;
    pthread_detach(pthread_self());
    pthread_create(&diver, NULL, dive, NULL);
    pthread_join(diver, &depth);
    assert(*(int *)depth == 3);
    printf("depth %d\n", *(int *)depth);
    return NULL;
}

int main(void) {
    pthread_t reporter;
    pthread_create(&reporter, NULL, report, NULL);
    pthread_exit(NULL);
}
