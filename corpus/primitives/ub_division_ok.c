/* unravel-corpus
 * title: the number of participants is read once
 * stands-for: division by zero, avoided
 * verdict: safe
 * flags: --ub
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int participants = 1;

static void *leave(void *arg) {
    (void)arg;
    participants = 0;
    return NULL;
}

int main(void) {
    pthread_t t;
    int share = 90;
    pthread_create(&t, NULL, leave, NULL);
    int n = participants;
    if (n != 0)
        share = 90 / n;
    pthread_join(t, NULL);
    assert(share == 90);
    printf("share %d\n", share);
    return 0;
}
