/* unravel-corpus
 * title: a flag is shifted into the sign bit if another thread has raised the number before
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: ub
 * at: shift
 * flags: --ub
 * pattern: order violation
 */
#include <pthread.h>

static volatile int bit = 30;

static void *raise(void *arg) {
    bit = 31;
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, raise, NULL);
    int mask = 1 << bit; //@shift
    pthread_join(thread, NULL);
    return mask == 0;
}
