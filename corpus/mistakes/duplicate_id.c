/* unravel-corpus
 * title: two orders get the same number, because the next number is read and raised in two steps
 * stands-for: a mistake C programmers make: x++ to hand out numbers
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: next < next, next < next
 * repair: atomic, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct order {
    int number;
    int amount;
};

static int next_number = 1000;

static void order_init(struct order *o, int amount) {
    o->number = next_number++; //@next
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
    return 0;
}
