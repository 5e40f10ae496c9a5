/* unravel-corpus
 * title: the next number is drawn by an atomic operation
 * stands-for: a mistake C programmers make: x++ to hand out numbers, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

struct order {
    int number;
    int amount;
};

static atomic_int next_number = 1000;

static void order_init(struct order *o, int amount) {
    o->number = atomic_fetch_add(&next_number, 1); //@next
    o->amount = amount;
}

static void *shop(void *arg) {
    order_init(arg, 1);
    return NULL;
}

static void *phone(void *arg) {
    order_init(arg, 5);
    return NULL;
}

int main(void) {
    pthread_t web, call;
    struct order orders[2];

    pthread_create(&web, NULL, shop, &orders[0]);
    pthread_create(&call, NULL, phone, &orders[1]);
    pthread_join(web, NULL);
    pthread_join(call, NULL);
    assert(orders[0].number != orders[1].number); //@check
    printf("orders up to %d\n", next_number - 1);
    return 0;
}
