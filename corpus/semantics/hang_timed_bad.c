/* unravel-corpus
 * title: a clerk waits with a time limit, again and again, and keeps the archive locked that the messenger needs
 * stands-for: deadlock of kind (c): a timed wait that is retried while another lock is held
 * verdict: unsafe
 * property: deadlock
 * at: wait, enter, look
 */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t archive = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t desk = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int letters;

static void *messenger(void *arg) {
    pthread_mutex_lock(&archive); //@enter
    pthread_mutex_lock(&desk);
    letters = 1;
    pthread_cond_signal(&bell);
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&archive);
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec limit = {1, 0};
    pthread_create(&thread, NULL, messenger, NULL);
    pthread_mutex_lock(&archive);
    pthread_mutex_lock(&desk);
    while (letters == 0) //@look
        pthread_cond_timedwait(&bell, &desk, &limit); //@wait
    pthread_mutex_unlock(&desk);
    pthread_mutex_unlock(&archive);
    pthread_join(thread, NULL);
    return 0;
}
