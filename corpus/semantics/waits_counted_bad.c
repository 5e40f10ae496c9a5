/* unravel-corpus
 * title: a host leaves while a visitor still holds the gate; how often the host woke before is no cause
 * stands-for: a corner of what a program means: runs that go on beyond a bound refute a cause
 * verdict: unsafe
 * property: misuse
 * at: leaves
 * pattern: atomicity violation
 * orders: leaves < opens
 */
#include <pthread.h>

static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t knock = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answer = PTHREAD_COND_INITIALIZER;
static int dozing, visitors;

static void *visit(void *arg) {
    pthread_mutex_lock(&gate);
    pthread_mutex_lock(&room);
    visitors++;
    if (dozing > 0)
        pthread_cond_signal(&knock);
    pthread_cond_wait(&answer, &room);
    pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&gate); //@opens
    return arg;
}

int main(void) {
    pthread_t visitor;
    pthread_create(&visitor, NULL, visit, NULL);
    pthread_mutex_lock(&room);
    while (visitors == 0) {
        dozing++;
        pthread_cond_wait(&knock, &room);
        dozing--;
    }
    visitors--;
    pthread_cond_signal(&answer);
    pthread_mutex_unlock(&room);
    pthread_mutex_destroy(&gate); //@leaves
    return 0;
}
