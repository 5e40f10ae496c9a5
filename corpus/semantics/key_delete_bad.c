/* unravel-corpus
 * title: a key is deleted while another thread is about to use it
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: reach
 * at: fail
 */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int ready;

static void *work(void *arg) {
    pthread_key_t mine = key;
    ready = 1;
    int error = pthread_setspecific(mine, &ready);
    assert(error == 0); //@fail
    return arg;
}

int main(void) {
    pthread_t worker;
    pthread_key_create(&key, NULL);
    pthread_create(&worker, NULL, work, NULL);
    while (!ready)
        ;
    pthread_key_delete(key);
    pthread_join(worker, NULL);
    return 0;
}
