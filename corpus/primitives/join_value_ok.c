/* unravel-corpus
 * title: the worker hands its result over as its exit value
 * stands-for: pthread_join, the exit value
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *sum_up_to(void *arg) {
    int n = *(int *)arg;
    int *sum = malloc(sizeof *sum);
    *sum = 0;
    for (int i = 1; i <= n; i++)
        *sum += i;
    return sum;
}

int main(void) {
    pthread_t worker;
    int n = 4;
    void *result;
    pthread_create(&worker, NULL, sum_up_to, &n);
    pthread_join(worker, &result);
    int sum = *(int *)result;
    free(result);
    assert(sum == 10);
    printf("sum %d\n", sum);
    return 0;
}
