/* unravel-corpus
 * title: a reader lets go of the configuration before it has read it, and a reload frees it
 * stands-for: an everyday program: a configuration that is read often and reloaded seldom
 * verdict: unsafe
 * property: memory
 * at: use, print
 * fault: unlock
 * pattern: use after free
 * repair: widen
 * patch: config.c
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"
#include "server.h"

int main(int argc, char **argv) {
    pthread_t server;
    int length = 0;
    int port = argc > 1 ? atoi(argv[1]) : 80;

    if (config_load("here", port) != 0) {
        fprintf(stderr, "%s: no memory\n", argv[0]);
        return 1;
    }
    if (pthread_create(&server, NULL, server_run, &length) != 0) {
        perror("pthread_create");
        return 1;
    }
    config_load("moon", port + 1);
    pthread_join(server, NULL);
    printf("%d letters\n", length);
    config_free();
    return 0;
}
