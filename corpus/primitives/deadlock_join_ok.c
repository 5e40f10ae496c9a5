/* unravel-corpus
 * title: main gives the mutex back before it joins the worker that needs it
 * stands-for: deadlock of kind (a): a mutex and the end of a thread, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static int running = 1;

static void *finish(void *arg) {
    (void)arg;
    pthread_mutex_lock(&state);
    running = 0;
    pthread_mutex_unlock(&state);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, finish, NULL);
    pthread_mutex_lock(&state);
    int seen = running;
    pthread_mutex_unlock(&state);
    assert(seen == 0 || seen == 1);
    pthread_join(t, NULL);
    assert(running == 0);
    printf("stopped\n");
    return 0;
}
