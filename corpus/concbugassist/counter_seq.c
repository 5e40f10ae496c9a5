/* unravel-corpus
 * title: two turnstiles count a visitor each with a plain increment; one visitor is lost
 * stands-for: ConcBugAssist, Table 1, counter_seq
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read < write, read < write; read < write, write < write
 * repair: atomic, mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

static int visitors = 0;

/* Counts one more visitor; returns the number of those before. */
static int count_visitor(void) {
    int before = visitors; //@read
    visitors = before + 1; //@write
    return before;
}

static void *turnstile(void *arg) {
    (void)arg;
    count_visitor();
    return NULL;
}

int main(void) {
    pthread_t north, south;

    pthread_create(&north, NULL, turnstile, NULL);
    pthread_create(&south, NULL, turnstile, NULL);
    pthread_join(north, NULL);
    pthread_join(south, NULL);
    assert(visitors == 2); //@check
    return 0;
}
