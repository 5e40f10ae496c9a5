/* unravel-corpus
 * title: a push onto a lock-free stack takes two steps to count what it has pushed
 * stands-for: compare-and-swap loops on atomic pointers, which may fail for no reason
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: check < count
 * repair: join
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};
struct stack {
    _Atomic(struct node *) top;
    atomic_int size;
};
struct stack stack;
_Atomic(struct node *) last;

static void push(struct stack *to, struct node *node) {
    struct node *top = atomic_load(&to->top);
    do {
        node->next = top;
    } while (!atomic_compare_exchange_weak(&to->top, &top, node));
    last = node;
    atomic_fetch_add(&to->size, 1); //@count
}

static void *pusher(void *arg) {
    push(&stack, arg);
    return NULL;
}

int main(void) {
    static struct node node;
    pthread_t thread;
    pthread_create(&thread, NULL, pusher, &node);
    if (stack.top != NULL)
        assert(stack.size == 1); //@check
    pthread_join(thread, NULL);
    return 0;
}
