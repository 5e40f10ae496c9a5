/* unravel-corpus
 * title: the older GCC builtins: add, compare and swap, lock test and set
 * stands-for: __sync_fetch_and_add, __sync_add_and_fetch, __sync_bool_compare_and_swap, __sync_val_compare_and_swap, __sync_lock_test_and_set, __sync_lock_release, __sync_synchronize
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lock = 0, protected_count = 0, count = 0, winner = 0;

static void *work(void *arg) {
    int me = *(int *)arg;
    int mine = __sync_fetch_and_add(&count, 1);
    assert(mine == 0 || mine == 1 || mine == 11);
    __sync_add_and_fetch(&count, 10);
    if (!__sync_bool_compare_and_swap(&winner, 0, me)) {
        int other = __sync_val_compare_and_swap(&winner, 0, me);
        assert(other != 0 && other != me);
    }
    while (__sync_lock_test_and_set(&lock, 1))
        ;
    protected_count++;
    __sync_lock_release(&lock);
    __sync_synchronize();
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 22 && protected_count == 2 && (winner == 1 || winner == 2));
    printf("count %d, protected %d\n", count, protected_count);
    return 0;
}
