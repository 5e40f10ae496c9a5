/* unravel-corpus
 * title: a number gets one more digit than its label has room for, if both threads count
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: memory
 * at: label
 * pattern: order violation
 * repair: join
 */
#include <pthread.h>
#include <stdio.h>

static int count = 8;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visitor(void *arg) {
    pthread_mutex_lock(&lock);
    count += 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    char label[4];
    int n;

    pthread_create(&t, NULL, visitor, NULL);
    pthread_mutex_lock(&lock);
    n = count;
    pthread_mutex_unlock(&lock);
    sprintf(label, "n=%d", n); //@label
    puts(label);
    pthread_join(t, NULL);
    return 0;
}
