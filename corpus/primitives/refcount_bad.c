/* unravel-corpus
 * title: both owners decrement, then both see zero and free
 * stands-for: C11 atomic_fetch_sub, its result ignored (as in apache-21287)
 * verdict: unsafe
 * property: memory
 * at: read, free
 * pattern: atomicity violation
 * orders: free < read
 * repair: atomic, mutex
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct buffer {
    atomic_int owners;
    int data;
};

static void *release(void *arg) {
    struct buffer *buffer = arg;
    atomic_fetch_sub(&buffer->owners, 1);  //@drop
    if (atomic_load(&buffer->owners) == 0) //@read
        free(buffer);                      //@free
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct buffer *buffer = malloc(sizeof *buffer);
    atomic_init(&buffer->owners, 2);
    pthread_create(&a, NULL, release, buffer);
    pthread_create(&b, NULL, release, buffer);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
