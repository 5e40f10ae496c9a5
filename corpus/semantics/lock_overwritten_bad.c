/* unravel-corpus
 * title: a thread initializes a lock that another holds
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: misuse
 * at: init
 * pattern: misuse
 * orders: take < init
 * repair: none
 */
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int balance;
} account = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *reset(void *arg) {
    account.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; //@init
    pthread_mutex_lock(&account.lock);
    account.balance = 0;
    pthread_mutex_unlock(&account.lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reset, NULL);
    pthread_mutex_lock(&account.lock); //@take
    account.balance++;
    pthread_mutex_unlock(&account.lock);
    pthread_join(thread, NULL);
    return 0;
}
