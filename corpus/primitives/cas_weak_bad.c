/* unravel-corpus
 * title: a weak compare-and-swap is taken for a strong one; it may fail for no reason
 * stands-for: C11 atomic_compare_exchange_weak, spurious failure
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: sequential
 * repair: none
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int leader = 0;
static int number[2] = {1, 2};
static bool elected[2];

static void *elect(void *arg) {
    int me = *(int *)arg;
    int nobody = 0;
    elected[me - 1] = atomic_compare_exchange_weak(&leader, &nobody, me);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, elect, &number[0]);
    pthread_create(&b, NULL, elect, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(elected[0] || elected[1]); //@check
    return 0;
}
