/* unravel-corpus
 * title: a key is deleted while another thread is about to use it
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: misuse
 * at: use
 */
#include <pthread.h>

static pthread_key_t key;
static int ready;

static void *work(void *arg) {
    pthread_key_t mine = key;
    ready = 1;
    pthread_setspecific(mine, &ready); //@use
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
