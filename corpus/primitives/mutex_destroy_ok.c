/* unravel-corpus
 * title: a mutex in a heap object is made, used by two threads, and destroyed with the object
 * stands-for: pthread_mutex_init, pthread_mutex_destroy
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int value;
};

static void *count(void *arg) {
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    c->value++;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct counter *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL);
    c->value = 0;
    pthread_create(&a, NULL, count, c);
    pthread_create(&b, NULL, count, c);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int value = c->value;
    pthread_mutex_destroy(&c->lock);
    free(c);
    assert(value == 2);
    printf("value %d\n", value);
    return 0;
}
