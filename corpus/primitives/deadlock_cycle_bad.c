/* unravel-corpus
 * title: two transfers lock two accounts in opposite order while a third thread keeps running
 * stands-for: deadlock of kind (a): a cycle, whatever other threads do
 * verdict: unsafe
 * property: deadlock
 * at: second_a, second_b
 * pattern: deadlock
 * orders: first_a < second_b, first_b < second_a
 * repair: lock-order
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;
static int saved = 100, checked = 100;
static atomic_int stop = 0;

static void *save(void *arg) {
    (void)arg;
    pthread_mutex_lock(&checking); //@first_a
    pthread_mutex_lock(&savings);  //@second_a
    checked -= 10;
    saved += 10;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&checking);
    return NULL;
}

static void *spend(void *arg) {
    (void)arg;
    pthread_mutex_lock(&savings);  //@first_b
    pthread_mutex_lock(&checking); //@second_b
    saved -= 5;
    checked += 5;
    pthread_mutex_unlock(&checking);
    pthread_mutex_unlock(&savings);
    return NULL;
}

static void *blink(void *arg) {
    (void)arg;
    while (!stop)
        ;
    return NULL;
}

int main(void) {
    pthread_t a, b, lamp;
    pthread_create(&lamp, NULL, blink, NULL);
    pthread_create(&a, NULL, save, NULL);
    pthread_create(&b, NULL, spend, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    stop = 1;
    pthread_join(lamp, NULL);
    return 0;
}
