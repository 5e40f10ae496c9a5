/* unravel-corpus
 * title: an early way out unlocks a mutex that was not taken yet
 * stands-for: pthread_mutex_unlock of a mutex nobody holds
 * verdict: unsafe
 * property: misuse
 * at: out
 * pattern: order violation
 * orders: close < look
 * repair: signal-wait, join
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int closed = 0;
static int entries = 0;

static void *append(void *arg) {
    (void)arg;
    if (closed) //@look
        goto out;
    pthread_mutex_lock(&m);
    entries++;
out:
    pthread_mutex_unlock(&m); //@out
    return NULL;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, append, NULL);
    closed = 1; //@close
    pthread_join(writer, NULL);
    return 0;
}
