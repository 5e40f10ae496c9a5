/* unravel-corpus
 * title: the reader has moved the pointer that the owner frees
 * stands-for: free of a pointer into the middle of a block
 * verdict: unsafe
 * property: memory
 * at: free
 * pattern: order violation
 * orders: advance < free
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

static char *cursor;

static void *skip(void *arg) {
    (void)arg;
    cursor = cursor + 1; //@advance
    return NULL;
}

int main(void) {
    pthread_t t;
    cursor = malloc(4);
    pthread_create(&t, NULL, skip, NULL);
    free(cursor); //@free
    pthread_join(t, NULL);
    return 0;
}
