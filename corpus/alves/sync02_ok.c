/* unravel-corpus
 * title: the tray begins empty, so the baker gets rid of both loaves
 * stands-for: Alves et al., Table 3, sync02_bad, repaired
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t shop = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bought = PTHREAD_COND_INITIALIZER, baked = PTHREAD_COND_INITIALIZER;
static int tray; /* loaves on it; one may lie there */

static void *baker(void *arg) {
    for (int loaf = 0; loaf < 2; loaf++) {
        pthread_mutex_lock(&shop);
        while (tray > 0)
            pthread_cond_wait(&bought, &shop); //@wait_empty
        tray++;
        pthread_cond_signal(&baked);
        pthread_mutex_unlock(&shop);
    }
    return arg;
}

static void *buyer(void *arg) {
    for (int loaf = 0; loaf < 2; loaf++) {
        pthread_mutex_lock(&shop);
        while (tray == 0)
            pthread_cond_wait(&baked, &shop);
        tray--;
        pthread_cond_signal(&bought);
        pthread_mutex_unlock(&shop);
    }
    return arg;
}

int main(void) {
    pthread_t bakes, buys;

    tray = 0; //@start
    pthread_create(&bakes, NULL, baker, NULL);
    pthread_create(&buys, NULL, buyer, NULL);
    pthread_join(bakes, NULL);
    pthread_join(buys, NULL);
    printf("%d loaves left\n", tray);
    return 0;
}
