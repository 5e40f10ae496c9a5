/* unravel-corpus
 * title: two writers check for room and move the end under a mutex
 * stands-for: accesses within the bounds of a heap block
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *log_;
static int used = 1;

static void *append(void *arg) {
    pthread_mutex_lock(&m);
    if (used < 2) {
        int at = used++;
        log_[at] = *(int *)arg;
    }
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    log_ = malloc(2 * sizeof *log_);
    pthread_create(&a, NULL, append, &one);
    pthread_create(&b, NULL, append, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(log_[1] == 1 || log_[1] == 2);
    printf("used %d\n", used);
    free(log_);
    return 0;
}
