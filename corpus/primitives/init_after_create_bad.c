/* unravel-corpus
 * title: the configuration is loaded after the thread that needs it has been started
 * stands-for: pthread_create, what comes before it
 * verdict: unsafe
 * property: memory
 * at: use
 * pattern: use before initialization
 * orders: use < load
 * repair: join, signal-wait
 */
#include <pthread.h>
#include <stddef.h>

struct config {
    int port;
};

static struct config defaults = {8080};
static struct config *config = NULL;
static int listening_on;

static void *serve(void *arg) {
    (void)arg;
    listening_on = config->port; //@use
    return NULL;
}

int main(void) {
    pthread_t server;
    pthread_create(&server, NULL, serve, NULL);
    config = &defaults; //@load
    pthread_join(server, NULL);
    return 0;
}
