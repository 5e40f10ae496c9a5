/* unravel-corpus
 * title: two transfers lock two accounts in the same order
 * stands-for: deadlock of kind (a), avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t savings = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_MUTEX_INITIALIZER;
static int saved = 100, checked = 100;
static atomic_int stop = 0;

static void *save(void *arg) {
    (void)arg;
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&savings);
    checked -= 10;
    saved += 10;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&checking);
    return NULL;
}

static void *spend(void *arg) {
    (void)arg;
    pthread_mutex_lock(&checking);
    pthread_mutex_lock(&savings);
    saved -= 5;
    checked += 5;
    pthread_mutex_unlock(&savings);
    pthread_mutex_unlock(&checking);
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
    assert(saved + checked == 200);
    printf("saved %d, checked %d\n", saved, checked);
    return 0;
}
