/* Two threads add up halves of an array. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 1 << 16 };

static int numbers[SIZE];
static long sums[2];
static int rounds = 1;

static void *add(void *arg) {
    int half = *(int *)arg;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < SIZE / 2; i++)
            sums[half] += numbers[half * SIZE / 2 + i];
    return NULL;
}

int main(int count, char **words) {
    if (count > 1)
        rounds = atoi(words[1]);
    for (int i = 0; i < SIZE; i++)
        numbers[i] = i;
    pthread_t threads[2];
    static int halves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, &halves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", sums[0] + sums[1]);
    return 0;
}
