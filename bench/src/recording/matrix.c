/* Two threads multiply two matrices, each the rows of one half. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64 };

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];
static int rounds = 1;

static void *multiply(void *arg) {
    int half = *(int *)arg;
    for (int round = 0; round < rounds; round++)
        for (int i = half * SIZE / 2; i < (half + 1) * SIZE / 2; i++)
            for (int j = 0; j < SIZE; j++) {
                double sum = 0;
                for (int k = 0; k < SIZE; k++)
                    sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    return NULL;
}

int main(int count, char **words) {
    if (count > 1)
        rounds = atoi(words[1]);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i + j;
            b[i][j] = i - j;
        }
    pthread_t threads[2];
    static int halves[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, multiply, &halves[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%g\n", c[SIZE - 1][SIZE - 1]);
    return 0;
}
