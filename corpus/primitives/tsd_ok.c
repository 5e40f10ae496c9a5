/* unravel-corpus
 * title: every thread counts in its own object, the destructor adds it up
 * stands-for: pthread_key_create with a destructor, pthread_setspecific, pthread_getspecific, pthread_key_delete
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int total = 0;

static void add_up(void *value) {
    int *mine = value;
    pthread_mutex_lock(&m);
    total += *mine;
    pthread_mutex_unlock(&m);
    free(mine);
}

static void *count(void *arg) {
    assert(pthread_getspecific(key) == NULL);
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    pthread_setspecific(key, mine);
    ++*(int *)pthread_getspecific(key);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, five = 5;
    pthread_key_create(&key, add_up);
    pthread_create(&a, NULL, count, &one);
    pthread_create(&b, NULL, count, &five);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_key_delete(key);
    assert(total == 8);
    printf("total %d\n", total);
    return 0;
}
