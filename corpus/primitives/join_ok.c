/* unravel-corpus
 * title: main joins the worker before it reads the result
 * stands-for: pthread_join
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int area;

static void *compute(void *arg) {
    int side = *(int *)arg;
    area = side * side;
    return NULL;
}

int main(void) {
    pthread_t worker;
    int side = 7;
    pthread_create(&worker, NULL, compute, &side);
    pthread_join(worker, NULL);
    assert(area == 49);
    printf("area %d\n", area);
    return 0;
}
