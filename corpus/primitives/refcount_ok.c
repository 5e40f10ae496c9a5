/* unravel-corpus
 * title: the last owner frees the object; the result of the decrement says who that is
 * stands-for: C11 atomic_fetch_sub, a reference count
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    atomic_int owners;
    int data;
};

static int freed[2];

struct owner {
    struct buffer *buffer;
    int *freed;
};

static void *release(void *arg) {
    struct owner *o = arg;
    if (atomic_fetch_sub(&o->buffer->owners, 1) == 1) {
        free(o->buffer);
        *o->freed = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct buffer *buffer = malloc(sizeof *buffer);
    atomic_init(&buffer->owners, 2);
    struct owner first = {buffer, &freed[0]}, second = {buffer, &freed[1]};
    pthread_create(&a, NULL, release, &first);
    pthread_create(&b, NULL, release, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(freed[0] + freed[1] == 1);
    printf("freed once\n");
    return 0;
}
