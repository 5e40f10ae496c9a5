/* unravel-corpus
 * title: two locks in opposite orders, with work of each thread's own in between
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: deadlock
 * at: main_second, thread_second
 * pattern: deadlock
 * orders: main_first < thread_second, thread_first < main_second
 * repair: lock-order
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int of_main, of_thread;

static void *work(void *arg) {
    pthread_mutex_lock(&b); //@thread_first
    of_thread = 1;
    pthread_mutex_lock(&a); //@thread_second
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_mutex_lock(&a); //@main_first
    of_main = 1;
    pthread_mutex_lock(&b); //@main_second
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(thread, NULL);
    return of_main && of_thread ? 0 : 1;
}
