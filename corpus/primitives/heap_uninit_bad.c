/* unravel-corpus
 * title: the reader looks into the block before the writer has filled it
 * stands-for: malloc, arbitrary content (as in bigshot_p)
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: use before initialization
 * orders: check < fill
 * repair: signal-wait, join
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static unsigned char *block;

static void *fill(void *arg) {
    (void)arg;
    block[0] = 'B'; //@fill
    return NULL;
}

int main(void) {
    pthread_t t;
    block = malloc(1);
    pthread_create(&t, NULL, fill, NULL);
    assert(block[0] == 'B'); //@check
    pthread_join(t, NULL);
    return 0;
}
