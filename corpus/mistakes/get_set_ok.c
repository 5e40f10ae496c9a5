/* unravel-corpus
 * title: the consumption is raised by one locked call
 * stands-for: a mistake C programmers make: a getter and a setter that are locked one by one, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

struct house {
    pthread_mutex_t lock;
    int consumption;
};

static struct house house = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void house_add(struct house *h, int value) {
    pthread_mutex_lock(&h->lock);
    h->consumption += value; //@add
    pthread_mutex_unlock(&h->lock);
}

static void *meter(void *arg) {
    house_add(arg, 5);
    return NULL;
}

int main(void) {
    pthread_t kitchen, cellar;

    pthread_create(&kitchen, NULL, meter, &house);
    pthread_create(&cellar, NULL, meter, &house);
    pthread_join(kitchen, NULL);
    pthread_join(cellar, NULL);
    assert(house.consumption == 10); //@check
    printf("%d kWh\n", house.consumption);
    return 0;
}
