/* unravel-corpus
 * title: a thread that cannot have the spin lock at once drops its packet
 * stands-for: pthread_spin_trylock
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_spinlock_t s;
static int kept = 0, dropped[2];

static void *receive(void *arg) {
    int *drop = arg;
    int rc = pthread_spin_trylock(&s);
    if (rc == EBUSY) {
        *drop = 1;
        return NULL;
    }
    kept++;
    pthread_spin_unlock(&s);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, receive, &dropped[0]);
    pthread_create(&b, NULL, receive, &dropped[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(kept >= 1 && kept + dropped[0] + dropped[1] == 2);
    printf("%d packets came\n", kept + dropped[0] + dropped[1]);
    return 0;
}
