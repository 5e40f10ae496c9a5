/* unravel-corpus
 * title: a writer sees that the log is open and writes to it after main has closed it
 * stands-for: a mistake C programmers make: an object that is destroyed while it is in use
 * verdict: unsafe
 * property: memory
 * at: write
 * pattern: atomicity violation
 * orders: look < clear, free < write; write < free, free < write
 * repair: mutex, join, signal-wait
 */
#include <pthread.h>
#include <stdlib.h>

struct log {
    int lines;
    int bytes;
};

static struct log *log_file; /* null when the log is closed */

static void log_open(void) {
    log_file = calloc(1, sizeof *log_file);
}

static void log_write(int bytes) {
    struct log *l = log_file; //@look

    if (l == NULL)
        return;
    l->bytes += bytes; //@write
}

static void log_close(void) {
    struct log *l = log_file;

    log_file = NULL; //@clear
    free(l);         //@free
}

static void *serve(void *arg) {
    log_write(80);
    return arg;
}

int main(void) {
    pthread_t server;

    log_open();
    pthread_create(&server, NULL, serve, NULL);
    log_close();
    pthread_join(server, NULL);
    return 0;
}
