/* unravel-corpus
 * title: whoever comes first initializes the table, once
 * stands-for: pthread_once
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int inits = 0, table = 0;

static void init_table(void) {
    inits++;
    table = 7;
}

static void *look_up(void *arg) {
    (void)arg;
    pthread_once(&once, init_table);
    assert(table == 7);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look_up, NULL);
    pthread_create(&b, NULL, look_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(inits == 1);
    printf("%d initialization\n", inits);
    return 0;
}
