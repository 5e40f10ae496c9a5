/* unravel-corpus
 * title: every handler gets a request of its own
 * stands-for: a mistake C programmers make: a variable outside the loop, whose address every thread gets, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

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
    struct request requests[CLIENTS];

    for (int i = 0; i < CLIENTS; i++) {
        requests[i] = (struct request){.client = i, .bytes = 100}; //@refill
        pthread_create(&handlers[i], NULL, handle, &requests[i]);
    }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(handlers[i], NULL);
    assert(received[0] == 100 && received[1] == 100); //@check
    printf("%d and %d bytes\n", received[0], received[1]);
    return 0;
}
