/* unravel-corpus
 * title: the sender tests that the link is up and sends; the link goes down in between
 * stands-for: ConcBugAssist, Table 1, testc
 * verdict: unsafe
 * property: reach
 * at: send
 * pattern: atomicity violation
 * orders: test < unplug, unplug < send
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

static int link_up = 1;

static void *pull_the_plug(void *arg) {
    (void)arg;
    link_up = 0; //@unplug
    return NULL;
}

int main(void) {
    pthread_t plug;

    pthread_create(&plug, NULL, pull_the_plug, NULL);
    if (link_up)         //@test
        assert(link_up); //@send
    return 0;
}
