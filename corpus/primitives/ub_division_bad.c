/* unravel-corpus
 * title: the last participant leaves between the test and the division
 * stands-for: division by zero
 * verdict: unsafe
 * property: ub
 * at: divide
 * flags: --ub
 * pattern: atomicity violation
 * orders: test < leave, leave < divide
 * repair: mutex
 */
#include <pthread.h>

static int participants = 1;

static void *leave(void *arg) {
    (void)arg;
    participants = 0; //@leave
    return NULL;
}

int main(void) {
    pthread_t t;
    int share = 0;
    pthread_create(&t, NULL, leave, NULL);
    if (participants != 0)         //@test
        share = 90 / participants; //@divide
    pthread_join(t, NULL);
    return share == 1;
}
