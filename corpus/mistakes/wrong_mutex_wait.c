/* unravel-corpus
 * title: the waiter waits with the mutex of the screen, but the loader sets the mark under that of the file
 * stands-for: a mistake C programmers make: a condition variable that is used with two mutexes
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: lost wakeup
 * orders: test < mark, signal < wait
 * repair: predicate-loop, mutex
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t screen_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded_changed = PTHREAD_COND_INITIALIZER;
static atomic_bool loaded;
static int shown;

static void *load(void *arg) {
    pthread_mutex_lock(&file_lock);
    loaded = true; //@mark
    pthread_cond_signal(&loaded_changed); //@signal
    pthread_mutex_unlock(&file_lock);
    return arg;
}

static void show(void) {
    pthread_mutex_lock(&screen_lock);
    while (!loaded) //@test
        pthread_cond_wait(&loaded_changed, &screen_lock); //@wait
    shown++;
    pthread_mutex_unlock(&screen_lock);
}

int main(void) {
    pthread_t loader;

    pthread_create(&loader, NULL, load, NULL);
    show();
    pthread_join(loader, NULL);
    return 0;
}
