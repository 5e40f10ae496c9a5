/* unravel-corpus
 * title: the spin lock is released between reading and writing the counter
 * stands-for: pthread_spin_lock, pthread_spin_unlock
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: read < write, read < write; read < write, write < write
 * repair: widen
 */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t s;
static int packets = 0;

static void *receive(void *arg) {
    (void)arg;
    pthread_spin_lock(&s);
    int seen = packets; //@read
    pthread_spin_unlock(&s);
    pthread_spin_lock(&s);
    packets = seen + 1; //@write
    pthread_spin_unlock(&s);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, receive, NULL);
    pthread_create(&b, NULL, receive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(packets == 2); //@check
    return 0;
}
