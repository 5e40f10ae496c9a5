/* unravel-corpus
 * title: the key is deleted when nobody uses it any more; a number that is no key is refused
 * stands-for: pthread_key_delete, pthread_setspecific
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_key_t note;

static void *work(void *arg) {
    pthread_setspecific(note, arg);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&note, NULL);
    pthread_create(&t, NULL, work, &note);
    pthread_join(t, NULL);
    assert(pthread_setspecific(1000, &note) == EINVAL);
    pthread_key_delete(note);
    puts("no notes");
    return 0;
}
