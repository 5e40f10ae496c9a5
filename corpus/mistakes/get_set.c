/* unravel-corpus
 * title: two meters read the consumption by a locked getter and write it back by a locked setter
 * stands-for: a mistake C programmers make: a getter and a setter that are locked one by one
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: get < set, set < set; get < set, get < set
 * repair: widen, mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct house {
    pthread_mutex_t lock;
    int consumption;
};

static struct house house = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int house_get(struct house *h) {
    pthread_mutex_lock(&h->lock);
    int value = h->consumption; //@get
    pthread_mutex_unlock(&h->lock);
    return value;
}

static void house_set(struct house *h, int value) {
    pthread_mutex_lock(&h->lock);
    h->consumption = value; //@set
    pthread_mutex_unlock(&h->lock);
}

static void *meter(void *arg) {
    struct house *h = arg;

    house_set(h, house_get(h) + 5);
    return NULL;
}

int main(void) {
    pthread_t kitchen, cellar;

    pthread_create(&kitchen, NULL, meter, &house);
    pthread_create(&cellar, NULL, meter, &house);
    pthread_join(kitchen, NULL);
    pthread_join(cellar, NULL);
    assert(house.consumption == 10); //@check
    return 0;
}
