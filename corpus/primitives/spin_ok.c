/* unravel-corpus
 * title: two threads count under a spin lock
 * stands-for: pthread_spin_init, pthread_spin_lock, pthread_spin_unlock, pthread_spin_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t s;
static int packets = 0;

static void *receive(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        pthread_spin_lock(&s);
        packets++;
        pthread_spin_unlock(&s);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, receive, NULL);
    pthread_create(&b, NULL, receive, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&s);
    assert(packets == 4);
    printf("%d packets\n", packets);
    return 0;
}
