/* unravel-corpus
 * title: mutual exclusion of two threads by flags and a turn
 * stands-for: Peterson's algorithm, sequential consistency
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int wants[2], turn;
static int inside = 0, visits = 0;
static int number[2] = {0, 1};

static void *visit(void *arg) {
    int me = *(int *)arg;
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        ;
    inside++;
    assert(inside == 1);
    visits++;
    inside--;
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, &number[0]);
    pthread_create(&b, NULL, visit, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visits == 2);
    printf("%d visits\n", visits);
    return 0;
}
