/* unravel-corpus
 * title: whichever way the choice falls, the two accounts keep their sum
 * stands-for: __VERIFIER_nondet_bool
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left = 5, right = 5;

static void *transfer(void *arg) {
    (void)arg;
    _Bool to_right = __VERIFIER_nondet_bool();
    pthread_mutex_lock(&m);
    left += to_right ? -1 : 1;
    right += to_right ? 1 : -1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, transfer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left + right == 10);
    return 0;
}
