/* unravel-corpus
 * title: the acceptor hands the address of one request to all handlers and fills it again for the next
 * stands-for: a mistake C programmers make: a variable outside the loop, whose address every thread gets
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: refill < use
 * repair: join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define CLIENTS 2

/* A request as the acceptor hands it to a handler. */
struct request {
    int client;
    int bytes;
};

static int received[CLIENTS];

static void *handle(void *arg) {
    const struct request *request = arg;

    received[request->client] = request->bytes; //@use
    return NULL;
}

int main(void) {
    pthread_t handlers[CLIENTS];
    struct request request = {.client = 0, .bytes = 100};

    for (int i = 0; i < CLIENTS; i++) {
        request.client = i; //@refill
        pthread_create(&handlers[i], NULL, handle, &request);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(handlers[i], NULL);
    assert(received[0] == 100 && received[1] == 100); //@check
    return 0;
}
