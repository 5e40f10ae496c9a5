/* unravel-corpus
 * title: one of two tellers forgets the mutex; a deposit is lost
 * stands-for: pthread_mutex_lock, pthread_mutex_unlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: locked < unlocked, unlocked < locked
 * repair: mutex, atomic
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 0;

static void *deposit(void *arg) {
    (void)arg;
    pthread_mutex_lock(&account);
    balance += 10; //@locked
    pthread_mutex_unlock(&account);
    return NULL;
}

static void *deposit_interest(void *arg) {
    (void)arg;
    balance += 1; //@unlocked
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit_interest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 11); //@check
    return 0;
}
