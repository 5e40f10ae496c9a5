/* unravel-corpus
 * title: the turn is given away before the wish is announced
 * stands-for: Peterson's algorithm with two statements swapped
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: turn < turn, look < wish; enter < enter, enter < leave
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn, inside;
static int number[2] = {0, 1};

static void *visit(void *arg) {
    int me = *(int *)arg;
    turn = 1 - me; //@turn
    wants[me] = 1; //@wish
    while (wants[1 - me] && turn == 1 - me) //@look
        ;
    int n = ++inside; //@enter
    assert(n == 1); //@check
    inside--; //@leave
    wants[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, &number[0]);
    pthread_create(&b, NULL, visit, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
