/* unravel-corpus
 * title: a destructor that sets its key again is called four times, then the thread ends
 * stands-for: pthread_key_create, PTHREAD_DESTRUCTOR_ITERATIONS
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_key_t note;
static int calls = 0;

static void keep(void *value) {
    calls++;
    pthread_setspecific(note, value);
}

static void *work(void *arg) {
    pthread_setspecific(note, &calls);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&note, keep);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(calls == 4);
    printf("%d calls\n", calls);
    return 0;
}
