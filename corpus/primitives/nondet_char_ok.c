/* unravel-corpus
 * title: any value that goes in comes out
 * stands-for: __VERIFIER_nondet_uchar, __VERIFIER_nondet_char
 * verdict: safe
 */
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern char __VERIFIER_nondet_char(void);

static unsigned char sent;
static unsigned char received;

static void *transmit(void *arg) {
    (void)arg;
    received = sent;
    return NULL;
}

int main(void) {
    pthread_t t;
    sent = __VERIFIER_nondet_uchar() & 7;
    pthread_create(&t, NULL, transmit, NULL);
    pthread_join(t, NULL);
    assert(received == sent);
    int letter = __VERIFIER_nondet_char();
    assert(letter == (char)letter);
    return 0;
}
