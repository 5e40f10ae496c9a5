/* unravel-corpus
 * title: the configuration is loaded before the thread that needs it is started
 * stands-for: pthread_create, what comes before it
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>

struct config {
    int port;
};

static struct config defaults = {8080};
static struct config *config = NULL;
static int listening_on;

static void *serve(void *arg) {
    (void)arg;
    listening_on = config->port;
    return NULL;
}

int main(void) {
    pthread_t server;
    config = &defaults;
    pthread_create(&server, NULL, serve, NULL);
    pthread_join(server, NULL);
    printf("port %d\n", listening_on);
    return 0;
}
