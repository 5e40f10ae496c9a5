/* unravel-corpus
 * title: the halves are merged when one of them is sorted: the other thread is joined too late
 * stands-for: an everyday program: sorting in two threads
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: merge, reads
 * pattern: order violation
 * repair: join, move
 * patch: psort.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4

struct half {
    int *from;
    int count;
};

static void *sort(void *arg) {
    struct half *half = arg;

    for (int i = 1; i < half->count; i++) {
        int value = half->from[i];
        int at = i;
        while (at > 0 && half->from[at - 1] > value) {
            half->from[at] = half->from[at - 1];
            at--;
        }
        half->from[at] = value;
    }
    return NULL;
}

static void merge(const struct half *a, const struct half *b, int *out) {
    int i = 0, j = 0;

    while (i < a->count || j < b->count) {
        if (j == b->count || (i < a->count && a->from[i] <= b->from[j]))
            *out++ = a->from[i++];
        else
            *out++ = b->from[j++]; //@reads
    }
}

int main(int argc, char **argv) {
    int numbers[MOST] = {4, 3, 2, 1};
    int sorted[MOST];
    int count = MOST;
    pthread_t left, right;

    if (argc - 1 > MOST) {
        fprintf(stderr, "%s: too many numbers\n", argv[0]);
        return 1;
    }
    if (argc > 1) {
        count = argc - 1;
        for (int i = 0; i < count; i++)
            numbers[i] = atoi(argv[i + 1]);
    }
    struct half low = {numbers, count / 2};
    struct half high = {numbers + count / 2, count - count / 2};
    if (pthread_create(&left, NULL, sort, &low) != 0 ||
        pthread_create(&right, NULL, sort, &high) != 0)
        return 1;
    pthread_join(left, NULL);
    merge(&low, &high, sorted); //@merge
    pthread_join(right, NULL);
    for (int i = 0; i < count; i++) {
        printf("%d ", sorted[i]);
        assert(i == 0 || sorted[i - 1] <= sorted[i]); //@check
    }
    printf("\n");
    return 0;
}
