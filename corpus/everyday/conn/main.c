/* unravel-corpus
 * title: the count of references is read again after the unlock, when another thread has freed it
 * stands-for: an everyday program: connections with a count of references
 * verdict: unsafe
 * property: misuse
 * at: destroy
 * fault: read
 * pattern: atomicity violation
 * repair: widen, mutex
 * patch: conn.c
 */
#include <stdio.h>

#include "server.h"

int main(int argc, char **argv) {
    const char *peer = argc > 1 ? argv[1] : "localhost";
    pthread_t thread;
    struct conn *c = conn_open(peer);

    if (c == NULL) {
        fprintf(stderr, "%s: cannot connect to %s\n", argv[0], peer);
        return 1;
    }
    printf("serving %s\n", c->peer);
    if (serve(&thread, c) != 0) {
        perror("serve");
        conn_unref(c);
        return 1;
    }
    conn_send(c, "bye\n");
    conn_unref(c);
    pthread_join(thread, NULL);
    return 0;
}
