/* unravel-corpus
 * title: two tellers deposit under the same mutex
 * stands-for: pthread_mutex_lock, pthread_mutex_unlock, static initializer
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t account = PTHREAD_MUTEX_INITIALIZER;
static int balance = 0;

static void *deposit(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&account);
        balance += 10;
        pthread_mutex_unlock(&account);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, deposit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(balance == 40);
    printf("balance %d\n", balance);
    return 0;
}
