/* unravel-corpus
 * title: a pointer is hidden in a number, so the answer is undecided
 * stands-for: a corner of what a program means
 * verdict: inconclusive
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static uintptr_t hidden;

static void *work(void *arg) {
    int *block = malloc(sizeof *block);
    if (!block)
        return arg;
    *block = 0;
    hidden = (uintptr_t)block * 2;
    *block = 1;
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    uintptr_t seen = hidden;
    if (seen) {
        int value = *(int *)(seen / 2);
        assert(value == 1);
    }
    pthread_join(worker, NULL);
    return 0;
}
