/* unravel-corpus
 * title: a local mutex is made and destroyed in every round of a loop
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int main(void) {
    int rounds = 0;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        pthread_mutex_lock(&m);
        rounds++;
        pthread_mutex_unlock(&m);
        pthread_mutex_destroy(&m);
    }
    assert(rounds == 2);
    printf("rounds %d\n", rounds);
    return 0;
}
