/* unravel-corpus
 * title: the acceptor notes the number of a connection after it has given it to the handler, who frees it
 * stands-for: a mistake C programmers make: an argument that the creator still uses after pthread_create
 * verdict: unsafe
 * property: memory
 * at: note
 * pattern: use after free
 * orders: free < note
 * repair: join, signal-wait
 */
#include <pthread.h>
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

    pthread_create(&thread, NULL, handler, c);
    int last_number = c->number; //@note
    pthread_join(thread, NULL);
    return last_number == 4 ? 0 : 1;
}
