/* unravel-corpus
 * title: the stock is tested in one critical section and taken in the next
 * stands-for: pthread_mutex_lock, pthread_mutex_unlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: test < take, test < take; take < take, test < take
 * repair: widen
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static bool available(void) {
    pthread_mutex_lock(&shelf);
    bool some = stock > 0; //@test
    pthread_mutex_unlock(&shelf);
    return some;
}

static void *buy(void *arg) {
    (void)arg;
    if (available()) {
        pthread_mutex_lock(&shelf);
        stock--; //@take
        pthread_mutex_unlock(&shelf);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(stock >= 0); //@check
    return 0;
}
