/* unravel-corpus
 * title: the acceptor notes the number of a connection before it gives it to the handler
 * stands-for: a mistake C programmers make: an argument that the creator still uses after pthread_create, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct connection {
    int number;
    int bytes;
};

static struct connection *connection_accept(int number) {
    struct connection *c = malloc(sizeof *c);

    c->number = number;
    c->bytes = 0;
    return c;
}

/* Owns the connection. */
static void *handler(void *arg) {
    struct connection *c = arg;

    c->bytes += 512;
    free(c); //@free
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct connection *c = connection_accept(4);
    int last_number = c->number; //@note

    pthread_create(&thread, NULL, handler, c);
    pthread_join(thread, NULL);
    printf("connection %d\n", last_number);
    return 0;
}
