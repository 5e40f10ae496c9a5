/* unravel-corpus
 * title: the stock is tested and taken in one critical section
 * stands-for: pthread_mutex_lock, pthread_mutex_unlock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t shelf = PTHREAD_MUTEX_INITIALIZER;
static int stock = 1;

static void *buy(void *arg) {
    (void)arg;
    pthread_mutex_lock(&shelf);
    if (stock > 0)
        stock--;
    pthread_mutex_unlock(&shelf);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, buy, NULL);
    pthread_create(&b, NULL, buy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(stock >= 0);
    printf("stock %d\n", stock);
    return 0;
}
