/* unravel-corpus
 * title: the link cannot go down between the sender's test and its sending
 * stands-for: ConcBugAssist, Table 1, testc, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t link_lock = PTHREAD_MUTEX_INITIALIZER;
static int link_up = 1;

static void *pull_the_plug(void *arg) {
    (void)arg;
    pthread_mutex_lock(&link_lock);
    link_up = 0; //@unplug
    pthread_mutex_unlock(&link_lock);
    return NULL;
}

int main(void) {
    pthread_t plug;

    pthread_create(&plug, NULL, pull_the_plug, NULL);
    pthread_mutex_lock(&link_lock);
    if (link_up)         //@test
        assert(link_up); //@send
    pthread_mutex_unlock(&link_lock);
    pthread_join(plug, NULL);
    printf("link %s\n", link_up ? "up" : "down");
    return 0;
}
