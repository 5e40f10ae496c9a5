/* unravel-corpus
 * title: the description is loaded once, tested and then read
 * stands-for: null pointer, avoided by one atomic load
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static int number = 12;
static _Atomic(int *) description = &number;

static void *finish(void *arg) {
    (void)arg;
    description = NULL;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, finish, NULL);
    int *mine = description;
    if (mine != NULL)
        assert(*mine == 12);
    pthread_join(t, NULL);
    printf("finished\n");
    return 0;
}
