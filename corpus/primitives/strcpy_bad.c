/* unravel-corpus
 * title: two threads write a name into the same buffer at the same time
 * stands-for: strcpy, byte by byte
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: ann < bob, bob < ann
 * repair: mutex
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char user[4] = "";

static void *log_in_ann(void *arg) {
    (void)arg;
    strcpy(user, "ann"); //@ann
    return NULL;
}

static void *log_in_bob(void *arg) {
    (void)arg;
    strcpy(user, "bob"); //@bob
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, log_in_ann, NULL);
    pthread_create(&b, NULL, log_in_bob, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert((user[0] == 'a' && user[2] == 'n') || (user[0] == 'b' && user[2] == 'b')); //@check
    return 0;
}
