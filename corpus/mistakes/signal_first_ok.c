/* unravel-corpus
 * title: the cook rings the bell when the meal is out
 * stands-for: a mistake C programmers make: a signal that is sent before the state is changed, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

/* Meals in the hatch of a canteen. */
static pthread_mutex_t hatch_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int meals;

static void *cook(void *arg) {
    pthread_mutex_lock(&hatch_lock); //@enter
    meals++;                         //@change
    pthread_cond_signal(&bell);      //@signal
    pthread_mutex_unlock(&hatch_lock);
    return arg;
}

static void guest(void) {
    pthread_mutex_lock(&hatch_lock); //@arrive
    while (meals == 0)               //@look
        pthread_cond_wait(&bell, &hatch_lock); //@wait
    meals--;
    pthread_mutex_unlock(&hatch_lock);
}

int main(void) {
    pthread_t kitchen;

    pthread_create(&kitchen, NULL, cook, NULL);
    guest();
    pthread_join(kitchen, NULL);
    printf("%d meals left\n", meals);
    return 0;
}
