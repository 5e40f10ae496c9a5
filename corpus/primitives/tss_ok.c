/* unravel-corpus
 * title: a value per thread, taken back by the destructor
 * stands-for: C11 tss_create with a destructor, tss_set, tss_get, tss_delete
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static atomic_int returned = 0;

static void take_back(void *value) {
    returned += *(int *)value;
    free(value);
}

static int borrow(void *arg) {
    assert(tss_get(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    tss_set(key, mine);
    *(int *)tss_get(key) *= 10;
    return 0;
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2;
    tss_create(&key, take_back);
    thrd_create(&a, borrow, &one);
    thrd_create(&b, borrow, &two);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    tss_delete(key);
    assert(returned == 30);
    printf("returned %d\n", returned);
    return 0;
}
