/* unravel-corpus
 * title: a worker notes something under a key that may be deleted by then
 * stands-for: pthread_key_delete, pthread_setspecific
 * verdict: unsafe
 * property: misuse
 * at: set
 */
#include <pthread.h>

static pthread_key_t note;

static void *work(void *arg) {
    pthread_setspecific(note, arg); //@set
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&note, NULL);
    pthread_create(&t, NULL, work, &note);
    pthread_key_delete(note);
    pthread_join(t, NULL);
    return 0;
}
