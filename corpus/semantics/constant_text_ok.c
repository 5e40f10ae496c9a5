/* unravel-corpus
 * title: threads read a constant text through a shared pointer
 * stands-for: a corner of what a program means
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static const char *greeting = "ab";
static int at;

static void *look(void *arg) {
    assert(greeting[at] == 'a');
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%c\n", greeting[at]);
    return 0;
}
