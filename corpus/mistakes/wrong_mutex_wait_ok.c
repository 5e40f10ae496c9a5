/* unravel-corpus
 * title: both sides use the mutex of the file
 * stands-for: a mistake C programmers make: a condition variable that is used with two mutexes, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static pthread_mutex_t file_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t loaded_changed = PTHREAD_COND_INITIALIZER;
static bool loaded;
static int shown;

static void *load(void *arg) {
    pthread_mutex_lock(&file_lock);
    loaded = true; //@mark
    pthread_cond_signal(&loaded_changed); //@signal
    pthread_mutex_unlock(&file_lock);
    return arg;
}

static void show(void) {
    pthread_mutex_lock(&file_lock);
    while (!loaded) //@test
        pthread_cond_wait(&loaded_changed, &file_lock); //@wait
    shown++;
    pthread_mutex_unlock(&file_lock);
}

int main(void) {
    pthread_t loader;

    pthread_create(&loader, NULL, load, NULL);
    show();
    pthread_join(loader, NULL);
    printf("shown %d\n", shown);
    return 0;
}
