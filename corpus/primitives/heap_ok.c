/* unravel-corpus
 * title: a message is made, grown, handed over and freed by different threads
 * stands-for: malloc, calloc, realloc, free
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *compose(void *arg) {
    (void)arg;
    int *message = malloc(2 * sizeof *message);
    message[0] = 1;
    message[1] = 2;
    message = realloc(message, 4 * sizeof *message);
    message[2] = 3;
    message[3] = 4;
    return message;
}

int main(void) {
    pthread_t t;
    void *result;
    int *sum = calloc(2, sizeof *sum);
    assert(sum[0] == 0 && sum[1] == 0);
    pthread_create(&t, NULL, compose, NULL);
    pthread_join(t, &result);
    int *message = result;
    for (int i = 0; i < 4; i++)
        sum[i % 2] += message[i];
    free(message);
    printf("sums %d %d\n", sum[0], sum[1]);
    free(sum);
    free(NULL);
    return 0;
}
