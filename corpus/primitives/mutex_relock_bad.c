/* unravel-corpus
 * title: a function that locks calls another one that locks the same mutex again
 * stands-for: pthread_mutex_lock of a mutex the thread holds already
 * verdict: unsafe
 * property: misuse
 * at: again
 * pattern: sequential
 * repair: none
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int length = 0;

static int get_length(void) {
    pthread_mutex_lock(&m); //@again
    int n = length;
    pthread_mutex_unlock(&m);
    return n;
}

static void *push(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    length = get_length() + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, push, NULL);
    pthread_join(t, NULL);
    return 0;
}
