/* unravel-corpus
 * title: the top of the stack is the same again, what lies below it is not
 * stands-for: C11 atomic_compare_exchange_strong, the ABA problem
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: below < pop_a, push_a < swap; below < reuse, push_a < swap, top < swap
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

/* Nodes 1 and 2 lie on the stack, 1 on top; 0 is the end of the list. */
static atomic_int top = 1;
static atomic_int next[3] = {0, 2, 0};

static int pop(void) {
    int t = atomic_load(&top); //@top
    if (t == 0)
        return 0;
    int n = atomic_load(&next[t]); //@below
    return atomic_compare_exchange_strong(&top, &t, n) ? t : 0; //@swap
}

static void *pop_one(void *arg) {
    (void)arg;
    pop();
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, pop_one, NULL);
    int one = pop(); //@pop_a
    int two = pop();
    if (one == 1 && two == 2) {
        next[1] = 0; //@reuse
        int empty = 0;
        atomic_compare_exchange_strong(&top, &empty, 1); //@push_a
        pthread_join(t, NULL);
        /* Node 2 belongs to main now. */
        assert(top != 2); //@check
    }
    return 0;
}
