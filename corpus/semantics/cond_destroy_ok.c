/* unravel-corpus
 * title: a condition variable is destroyed after all its waiters were woken
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static bool done;

static void *wait_for_it(void *arg) {
    pthread_cond_t *changed = arg;
    pthread_mutex_lock(&m);
    while (!done)
        pthread_cond_wait(changed, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t waiter;
    pthread_cond_t *changed = malloc(sizeof *changed);
    if (!changed)
        return 1;
    pthread_cond_init(changed, NULL);
    pthread_create(&waiter, NULL, wait_for_it, changed);
    pthread_mutex_lock(&m);
    done = true;
    pthread_cond_broadcast(changed);
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(changed);
    free(changed);
    pthread_join(waiter, NULL);
    puts("gone");
    return 0;
}
